package scheduler

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/cluster"
	"github.com/takt-dev/takt/e2e/lib/schedulerprocess"
	"github.com/takt-dev/takt/e2e/lib/world"
)

// genericWorkload is the feature gate of the gangs that Kubernetes has itself.
const genericWorkload = "GenericWorkload=true"

// The feature gate of Kubernetes' own gangs is off by default, so the test has a cluster of its own. With it on, the
// configuration that takt-scheduler is installed with does for gangs of both kinds.
func TestSchedulerPlacesGangsOfKubernetesItself(t *testing.T) {
	t.Parallel()
	home := cluster.Own(t, "--nodes", "0", "--feature-gates", genericWorkload, "--runtime-config",
		"scheduling.k8s.io/v1beta1=true")
	w := world.New(t, world.Options{Cluster: home})
	w.Nodes(3, 4)

	// These wait when the scheduler starts: its gate lets nobody in before it knows what pods there are. The pods of one
	// carry what those of a gang of Takt do.
	theirs := podGroup(w, "theirs", 3)
	marked := podGroup(w, "marked", 3)
	marked.pod = append(marked.pod, func(pod *corev1.Pod) {
		schedulerprocess.Member(t, pod, "marked", 0, v1alpha1.Gang{Epoch: 1, Pods: 9})
	})
	large := podGroup(w, "large", 2)
	theirs.make(w, 3)
	marked.make(w, 2)
	s := schedulerprocess.Start(t, schedulerprocess.Options{
		Cluster: home, Name: w.Namespace, Gates: genericWorkload, Loud: true,
	})
	theirs.placed(w, 3)

	ours := gang(t, w, change{job: "ours", to: 4})
	placed(w, ours)
	if got := marked.bound(w); got != 0 {
		t.Errorf("%d pods of a PodGroup have a node, of which the last is not there yet", got)
	}
	marked.make(w, 3)
	marked.placed(w, 3)

	// Two GPUs are left: neither gang fits, and none of their pods has one. When others go, all have.
	large.gpus = 4
	large.make(w, 2)
	growth := gang(t, w, change{job: "growth", from: 1, to: 4})
	told(w, growth, 2)
	if got := large.bound(w); got != 0 {
		t.Errorf("%d pods of a PodGroup have a node, of which two do not fit", got)
	}
	end(t, w, ours)
	placed(w, growth)
	for _, c := range []change{growth, theirs.change, marked.change} {
		end(t, w, c)
	}
	large.placed(w, 2)
	neverInPart(t, w, ours, growth, theirs.change, marked.change, large.change)
	if got := s.Metric("takt_scheduler_gangs_placed_total"); got != 2 {
		t.Errorf("%v gangs of Takt are said to be placed, want 2", got)
	}
}

// group is a gang of Kubernetes itself, as a change from no pods, so that what is asked of gangs of Takt can be asked
// of it.
type group struct {
	change
	made int
}

// podGroup makes a PodGroup of which so many pods are to have a node, or none.
func podGroup(w *world.World, name string, least int32) *group {
	w.Make(&schedulingv1beta1.PodGroup{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.Namespace, Name: name},
		Spec: schedulingv1beta1.PodGroupSpec{SchedulingPolicy: schedulingv1beta1.PodGroupSchedulingPolicy{
			Gang: &schedulingv1beta1.GangSchedulingPolicy{MinCount: least},
		}},
	})
	return &group{change: change{job: name, to: int(least), gpus: 1, pod: []func(*corev1.Pod){func(pod *corev1.Pod) {
		pod.Spec.SchedulingGroup = &corev1.PodSchedulingGroup{PodGroupName: &name}
	}}}}
}

// make makes pods of the group until there are so many.
func (g *group) make(w *world.World, count int) {
	for names := g.pods(); g.made < count; g.made++ {
		plain(w, names[g.made], g.gpus, g.pod...)
	}
}

func (g *group) bound(w *world.World) int { return bound(w, g.change) }

func (g *group) placed(w *world.World, want int) {
	w.Eventually("the PodGroup "+g.job+" is placed", world.Soon, func() error {
		return world.Want("pods with a node", g.bound(w), want)
	})
}
