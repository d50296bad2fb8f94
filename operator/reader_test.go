package operator

import (
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
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
