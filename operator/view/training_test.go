package view_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/agent/contract"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/operator/wrapping"
)

// Workers that wait at the barrier do not train, though their pods run: what the others do meanwhile is no measure of
// all of them. Where all wait, as at a start, they are whom there is.
func TestWhoWaitsAtTheBarrierDoesNotTrain(t *testing.T) {
	for name, test := range map[string]struct {
		wait []string
		want int
	}{
		"nobody waits": {nil, 4},
		"two wait":     {[]string{"resnet-worker-2", "resnet-worker-3"}, 2},
		"all wait": {
			[]string{"resnet-worker-0", "resnet-worker-1", "resnet-worker-2", "resnet-worker-3"}, 4,
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := fixture.Watch(t, func(seconds float64) (progress.Sample, error) {
				return progress.Sample{Done: seconds, Total: 1e5, Unit: "steps"}, nil
			})
			for _, pod := range test.wait {
				p := fixture.Get(t, w.Rooms, pod, &corev1.Pod{})
				p.Annotations = map[string]string{contract.AgentAnnotation: wrapping.Injected}
				if err := w.Rooms.Client.Update(t.Context(), p); err != nil {
					t.Fatal(err)
				}
			}
			for range 20 {
				w.At = w.At.Add(10 * time.Second)
				w.Read()
			}
			for _, spent := range w.Look().Known.Run.Spent(w.At) {
				if int(spent.Shape.Workers) != test.want {
					t.Errorf("%v trained for %v, want %d", spent.Shape, spent.Time, test.want)
				}
			}
			if got := len(w.Look().Training()); got != test.want {
				t.Errorf("%d train, want %d", got, test.want)
			}
		})
	}
}
