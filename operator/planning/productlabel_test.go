package planning_test

import (
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/kind"
)

// What discovers GPUs takes the label of the product off a node while it is restarted, and may write another one: a job
// that was bound to the product by it is planned for as before.
func TestStoryAPromiseStandsWhileTheLabelOfTheProductIsAwayOrAnother(t *testing.T) {
	const label = "nvidia.com/gpu.product"
	for name, after := range map[string]map[string]string{"away": {}, "another": {label: "NVIDIA-A100"}} {
		t.Run(name, func(t *testing.T) {
			w := fixture.Watch(t, fixture.Counts, func(ej *v1alpha1.ElasticJob) {
				ej.Spec.Deadline = v1alpha1.NewTime(fixture.Start.Add(5 * time.Hour))
			})
			c := w.Rooms.Client
			other := fixture.Node("t4", "1")
			other.Labels[label] = "T4"
			if err := c.Create(t.Context(), other); err != nil {
				t.Fatal(err)
			}
			job := fixture.Get(t, w.Rooms, "resnet", &kubeflow.PyTorchJob{})
			metav1.SetMetaDataAnnotation(&job.ObjectMeta, kind.PinnedAnnotation, `{"`+label+`":"A100"}`)
			job.Spec.PyTorchReplicaSpecs["Worker"].Template.Spec.NodeSelector = map[string]string{label: "A100"}
			if err := c.Update(t.Context(), job); err != nil {
				t.Fatal(err)
			}
			var node corev1.Node
			if err := c.Get(t.Context(), types.NamespacedName{Name: "node"}, &node); err != nil {
				t.Fatal(err)
			}
			w.Minutes(30, 0)
			promised := func(when string) {
				t.Helper()
				if w.Plan.Verdict != elastic.OnTrack || !w.Plan.Promised {
					t.Errorf("%s it is %s, promised %t: %s", when, w.Plan.Verdict, w.Plan.Promised, w.Plan.Message)
				}
			}
			promised("before")
			node.Labels = after
			if err := c.Update(t.Context(), &node); err != nil {
				t.Fatal(err)
			}
			w.Minutes(1, 0)
			promised("then")
		})
	}
}

// Nothing grows by a restart meanwhile: it might go on upon other GPUs.
func TestStoryAJobIsNotGrownWhileTheLabelOfItsProductIsAway(t *testing.T) {
	const label = "nvidia.com/gpu.product"
	w := fixture.Watch(t, fixture.Counts, func(ej *v1alpha1.ElasticJob) {
		ej.Spec.Deadline = v1alpha1.NewTime(fixture.Start.Add(5 * time.Hour))
		ej.Spec.Workers.Max = new(int32(4))
	})
	c := w.Rooms.Client
	other := fixture.Node("t4", "8")
	other.Labels[label] = "T4"
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(c.Create(t.Context(), other))
	job := fixture.Get(t, w.Rooms, "resnet", &kubeflow.PyTorchJob{})
	metav1.SetMetaDataAnnotation(&job.ObjectMeta, kind.PinnedAnnotation, `{"`+label+`":"A100"}`)
	job.Spec.PyTorchReplicaSpecs["Worker"].Template.Spec.NodeSelector = map[string]string{label: "A100"}
	job.Spec.ElasticPolicy = nil
	must(c.Update(t.Context(), job))
	w.Minutes(30, 0)
	var node corev1.Node
	must(c.Get(t.Context(), types.NamespacedName{Name: "node"}, &node))
	relabel := func(labels map[string]string) {
		node.Labels = labels
		must(c.Update(t.Context(), &node))
		for range 3 {
			w.Read()
			if _, err := w.Rooms.Planner.Plan(t.Context()); err != nil {
				t.Fatal(err)
			}
			w.At = w.At.Add(10 * time.Second)
		}
	}
	ej := fixture.Get(t, w.Rooms, "resnet", &v1alpha1.ElasticJob{})
	ej.Spec.Workers.Min, ej.Spec.Workers.Max = new(int32(1)), new(int32(8))
	must(c.Update(t.Context(), ej))
	relabel(nil)
	if resizes := fixture.ResizesOf(t, w.Rooms); len(resizes) > 0 {
		t.Errorf("it is resized: %v", resizes)
	}
	relabel(map[string]string{label: "A100"})
	if resizes := fixture.ResizesOf(t, w.Rooms); len(resizes) != 1 {
		t.Errorf("it is not grown once the label is back: %v", resizes)
	}
}
