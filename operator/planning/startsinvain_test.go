package planning_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/fixture"
)

// What keeps workers out is not always written where Takt reads it: the node has the usual taint of GPUs, which the API
// server may let pods tolerate, and here does not. Who trains is not shrunk for such a job again and again.
func TestStoryNobodyIsShrunkForAJobThatFindsNoNodes(t *testing.T) {
	for name, test := range map[string]struct {
		failed  int
		gpus    string
		shrinks bool
	}{
		"not yet": {0, "4", true}, "twice": {2, "4", true}, "three times": {3, "4", false}, "more often": {8, "4", false},
		"and some GPUs are free, which are too few": {3, "5", false},
	} {
		t.Run(name, func(t *testing.T) {
			failed, shrinks := test.failed, test.shrinks
			w := fixture.Watch(t, fixture.Counts, func(ej *v1alpha1.ElasticJob) {
				ej.Spec.Deadline = v1alpha1.NewTime(fixture.Start.Add(40 * time.Hour))
			})
			c := w.Rooms.Client
			job := fixture.Get(t, w.Rooms, "resnet", &kubeflow.PyTorchJob{})
			job.Spec.PyTorchReplicaSpecs[kubeflow.PyTorchJobReplicaTypeWorker].Template.Spec.Tolerations = []corev1.Toleration{
				{Key: "nvidia.com/gpu", Operator: corev1.TolerationOpExists}}
			var node corev1.Node
			if err := c.Get(t.Context(), types.NamespacedName{Name: "node"}, &node); err != nil {
				t.Fatal(err)
			}
			node.Spec.Taints = []corev1.Taint{{Key: "nvidia.com/gpu", Effect: corev1.TaintEffectNoSchedule}}
			four := fixture.Node("few", test.gpus).Status
			must := func(err error) {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
			}
			must(c.Update(t.Context(), job))
			must(c.Update(t.Context(), &node))
			node.Status = four
			must(c.Status().Update(t.Context(), &node))
			w.Minutes(60, 0)
			ej := fixture.ElasticJob("forgot", fixture.BestEffort, func(e *v1alpha1.ElasticJob) {
				e.Spec.Deadline = v1alpha1.NewTime(w.At.Add(6 * time.Hour))
			})
			must(c.Create(t.Context(), fixture.PyTorchJob("forgot", 2, fixture.SuspendedAtFirst)))
			must(c.Create(t.Context(), ej))
			for i := range failed {
				r := fixture.ResizeOf(ej, int64(i+1), 0, 1, v1alpha1.ConditionRollingBack, v1alpha1.ConditionRolledBack)
				for k := range r.Status.Conditions {
					r.Status.Conditions[k].Reason = string(resize.NothingFits)
					r.Status.Conditions[k].LastTransitionTime = metav1.NewTime(w.At.Add(-31*time.Minute -
						time.Hour*time.Duration(failed-1-i)))
				}
				must(c.Create(t.Context(), r))
			}
			for range 3 {
				w.Read()
				if _, err := w.Rooms.Planner.Plan(t.Context()); err != nil {
					t.Fatal(err)
				}
				w.At = w.At.Add(10 * time.Second)
			}
			shrunk := strings.Contains(fmt.Sprint(fixture.ResizesOf(t, w.Rooms)), "resnet")
			if shrunk != shrinks {
				t.Errorf("it is shrunk: %t", shrunk)
			}
			if s, err := w.Rooms.View.Look(t.Context(), fixture.Get(t, w.Rooms, "forgot", &v1alpha1.ElasticJob{})); err != nil ||
				!shrinks && test.gpus == "4" && !strings.Contains(s.Known.HinderedBy().Message,
					fmt.Sprintf("forgot-%d says why", failed)) {
				t.Errorf("it is told %q (%v)", s.Known.HinderedBy().Message, err)
			}
		})
	}
}
