package operator

import (
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/progress"
)

// A job of a master alone is refused, but it may run, and is then read like others.
func TestTheUseOfAJobWithoutWorkersIsNotRead(t *testing.T) {
	job := pytorchJob("resnet", 1, func(j *kubeflow.PyTorchJob) {
		j.Spec.PyTorchReplicaSpecs["Master"] = j.Spec.PyTorchReplicaSpecs["Worker"]
		delete(j.Spec.PyTorchReplicaSpecs, "Worker")
	})
	ej := elasticJob("resnet")
	o := stopped(t, interceptor.Funcs{}, ej, job)
	s, err := o.look(t.Context(), ej)
	if err != nil {
		t.Fatal(err)
	}
	if o.watchUse(t.Context(), s, []*corev1.Pod{worker0(job, "node")}) {
		t.Error("there is news of its use")
	}
}

// What was written beforehand tells the total, and does not undo what was told since.
func TestWhatIsDoneIsKnownBeforeTheFirstReading(t *testing.T) {
	for name, test := range map[string]struct {
		status v1alpha1.ProgressStatus
		note   string
		want   float64
	}{
		"written alone":           {v1alpha1.ProgressStatus{}, "10/100 steps", .1},
		"told by a log":           {v1alpha1.ProgressStatus{PartsPerMillion: 420_000, Source: "Logs"}, "0/100 steps", .42},
		"told by what is written": {v1alpha1.ProgressStatus{PartsPerMillion: 420_000, Source: "Annotation"}, "50/100 steps", .5},
	} {
		t.Run(name, func(t *testing.T) {
			job := pytorchJob("resnet", 1, func(j *kubeflow.PyTorchJob) {
				j.Annotations = map[string]string{progress.ProgressAnnotation: test.note}
			})
			ej := elasticJob("resnet", func(ej *v1alpha1.ElasticJob) { ej.Status.Progress = test.status })
			o := stopped(t, interceptor.Funcs{}, ej, job)
			s, err := o.look(t.Context(), ej)
			if err != nil {
				t.Fatal(err)
			}
			got := o.fillOptions(t.Context(), s, start)
			if got.DoneShare != test.want || got.Total != 100 || got.Unit != "steps" {
				t.Errorf("%g of %g %s, want %g of 100 steps", got.DoneShare, got.Total, got.Unit, test.want)
			}
		})
	}
}

// A job that waits learns from those of its code that run in the meantime.
func TestAProfileIsReadAgainWhereItIsShared(t *testing.T) {
	for name, test := range map[string]struct {
		profile string
		want    bool
	}{
		"shared":    {"resnet50", true},
		"of itself": {"", false},
	} {
		t.Run(name, func(t *testing.T) {
			_, owner := profileOf(elasticJob("resnet", func(ej *v1alpha1.ElasticJob) { ej.Spec.Profile = test.profile }))
			if !profileDue(time.Time{}, start, owner == nil) {
				t.Error("it is not read at first")
			}
			if profileDue(start, start.Add(profileEvery-1), owner == nil) {
				t.Error("it is read again too soon")
			}
			if due := profileDue(start, start.Add(profileEvery), owner == nil); due != test.want {
				t.Errorf("it is read again: %t, want %t", due, test.want)
			}
		})
	}
}
