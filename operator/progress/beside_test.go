package progress

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// A counter of parts is told how many there are by what stands beside it.
func TestWhatIsToldBesideACounter(t *testing.T) {
	for name, c := range map[string]struct {
		note    string
		command []string
		serves  string
		want    Plan
	}{
		"nothing":        {serves: "training_steps_done 20\ntraining_steps_planned 100\n"},
		"command":        {command: []string{"train", "--epochs", "10"}, want: Plan{Epochs: 10}},
		"steps":          {command: []string{"train", "--max_steps=1000"}, want: Plan{Steps: 1000}},
		"epochs written": {note: "0/12 epochs", command: []string{"train", "--epochs", "10"}, want: Plan{Epochs: 12}},
		"steps written":  {note: "0/1203 steps", want: Plan{Epochs: 12}},
		"epochs served": {
			serves: "training_steps_done 20\ntraining_steps_planned 100\ntraining_epochs_done 0\ntraining_epochs_planned 7\n",
			want:   Plan{Epochs: 7},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if c.serves == "" {
				c.serves = "training_steps_done 20\ntraining_steps_planned 100\n"
			}
			at := serve(t, says(c.serves))
			target := resnet(worker("resnet-worker-0", "prometheus.io/scrape", "true", "prometheus.io/port", at))
			if c.note != "" {
				target.Annotations = map[string]string{ProgressAnnotation: c.note}
			}
			target.Pods[0].Spec.Containers = []corev1.Container{{Name: "pytorch", Command: c.command}}
			s, err := readerOf(Annotation{}, NewPrometheus(wide)).Read(t.Context(), target, sixOClock)
			if err != nil || s.Beside != c.want {
				t.Errorf("got %+v, %v; want %+v", s.Beside, err, c.want)
			}
		})
	}
}
