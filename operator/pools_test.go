package operator

import (
	"strings"
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/zoo/habit"
)

// A training that runs when Takt first sees it says nothing of the kind of GPUs that it is to have. What joins it has
// the same, though others are free as well, and come first for the scheduler.
func TestWhatJoinsATrainingHasGPUsOfTheSameKind(t *testing.T) {
	l := newLoop(t)
	l.z.NodesWith("T4", "cheap", 1, 1)
	usual := habit.Animals()[0].Habits
	usual.Ran = time.Minute
	training := l.z.Add("job", usual, 1, 1, most)
	l.z.Clock.Run(l.z.Clock.Now().Add(time.Minute), training.Over)
	l.z.NodesWith("A100", "a", 1, 8)
	l.z.NodesWith("T4", "b", 1, 8)
	l.begin()
	deadline := l.z.Clock.Now().Add(training.Left(4))
	j := l.judge("job", "any", training, deadline, false)
	l.take("job", deadline)
	strangers := 0
	l.z.Clock.Every(time.Second, func() bool {
		var pods corev1.PodList
		if err := l.z.Server.List(t.Context(), &pods); err != nil {
			t.Fatal(err)
		}
		for _, pod := range pods.Items {
			if strings.HasPrefix(pod.Spec.NodeName, "a") {
				strangers++
			}
		}
		return !training.Over()
	})
	if l.until(j); j.resizes == 0 {
		t.Error("it has not grown: this proves nothing")
	}
	if strangers > 0 {
		t.Errorf("workers with other GPUs were seen %d times", strangers)
	}
}

// A job that Takt has stopped may start with any kind of GPUs, though Takt has kept its workers to one kind before: the
// nodes of that may be gone.
func TestAJobThatWasStoppedMayStartWithOtherGPUs(t *testing.T) {
	other := fixture.Node("node", "8")
	other.Labels["nvidia.com/gpu.product"] = "H100"
	job := fixture.PyTorchJob("resnet", 2, fixture.SuspendedAtFirst, func(j *kubeflow.PyTorchJob) {
		metav1.SetMetaDataAnnotation(&j.ObjectMeta, kind.PinnedAnnotation, `{"nvidia.com/gpu.product":"A100"}`)
		worker := j.Spec.PyTorchReplicaSpecs[kubeflow.PyTorchJobReplicaTypeWorker]
		worker.Template.Spec.NodeSelector = map[string]string{"nvidia.com/gpu.product": "A100"}
	})
	o := fixture.Stopped(t, interceptor.Funcs{}, other, fixture.ElasticJob("resnet"), job)
	if _, err := o.Planner.Plan(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r := fixture.Get(t, o, "resnet-1", &v1alpha1.Resize{}); r.Spec.To < 1 {
		t.Errorf("it is not started: %+v", r.Spec)
	}
}
