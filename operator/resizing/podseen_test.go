package resizing_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/view"
)

func TestHowFarAPodHasCome(t *testing.T) {
	pod := func(change func(*corev1.Pod)) *corev1.Pod {
		p := fixture.Worker0(fixture.PyTorchJob("job", 1), "node")
		change(p)
		return p
	}
	on := func(node string) func(*corev1.Pod) { return func(p *corev1.Pod) { p.Spec.NodeName = node } }
	silent := func(name string, since time.Duration) *corev1.Node {
		node := fixture.Node(name, "8")
		node.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionUnknown,
			LastTransitionTime: metav1.NewTime(fixture.Start.Add(-since))}}
		return node
	}
	agent := map[string]string{v1alpha1.AgentAnnotation: "true"}
	for name, test := range map[string]struct {
		pod   *corev1.Pod
		want  resize.PodState
		letIn bool
	}{
		"held": {
			pod(func(p *corev1.Pod) { p.Spec.NodeName, p.Status.Phase = "", "Pending" }), resize.PodHeld, false,
		},
		"starts":         {pod(func(p *corev1.Pod) { p.Status.Phase = "Pending" }), resize.PodPending, false},
		"runs":           {pod(func(*corev1.Pod) {}), resize.PodTraining, true},
		"at the barrier": {pod(func(p *corev1.Pod) { p.Annotations = agent }), resize.PodAtBarrier, false},
		"let in": {pod(func(p *corev1.Pod) {
			p.Annotations = map[string]string{v1alpha1.AgentAnnotation: "true", v1alpha1.LetInAnnotation: "3"}
		}), resize.PodTraining, true},
		"failed":         {pod(func(p *corev1.Pod) { p.Status.Phase = "Failed" }), resize.PodFailed, false},
		"on a lost node": {pod(func(p *corev1.Pod) { p.Spec.NodeName = "gone" }), resize.PodLost, false},
		"on a node that was heard of a moment ago": {
			pod(on("silent")), resize.PodTraining, true,
		},
		"on a node that is silent for long":                  {pod(on("dead")), resize.PodLost, false},
		"on a node that is silent, by a clock that is ahead": {pod(on("ahead")), resize.PodLost, false},
		"on a node that nobody knows yet": {pod(func(p *corev1.Pod) {
			p.Spec.NodeName, p.Status.Phase = "new", "Pending"
			p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionTrue,
				LastTransitionTime: metav1.NewTime(fixture.Start.Add(-time.Second))}}
		}), resize.PodPending, false},
		"leaves": {
			pod(func(p *corev1.Pod) { p.DeletionTimestamp = new(metav1.NewTime(fixture.Start)) }), resize.PodTerminating, false,
		},
		"failed and lost": {
			pod(func(p *corev1.Pod) { p.Spec.NodeName, p.Status.Phase = "gone", "Failed" }), resize.PodFailed, false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := fixture.Stopped(t, interceptor.Funcs{}, fixture.Node("node", "8"), silent("silent", 29*time.Second),
				silent("dead", 30*time.Second), silent("ahead", -time.Hour)).Resizer.PodSeen(t.Context(),
				view.Worker{Index: 2,
					Pod: test.pod}, "")
			if got.State != test.want || got.LetIn != test.letIn || got.Index != 2 {
				t.Errorf("%+v, want %s", got, test.want)
			}
		})
	}
}

// A pod for which no node was found is told from one that no scheduler has looked at.
func TestWhetherANodeWasLookedFor(t *testing.T) {
	condition := func(status corev1.ConditionStatus) []corev1.PodCondition {
		return []corev1.PodCondition{{Type: corev1.PodScheduled, Status: status, Reason: corev1.PodReasonUnschedulable}}
	}
	for name, test := range map[string]struct {
		node       string
		conditions []corev1.PodCondition
		want       bool
	}{
		"nobody has looked": {"", nil, false},
		"in vain":           {"", condition(corev1.ConditionFalse), true},
		"it has one":        {"node", condition(corev1.ConditionTrue), false},
	} {
		pod := fixture.Worker0(fixture.PyTorchJob("job", 1), test.node)
		pod.Status.Phase, pod.Status.Conditions = corev1.PodPending, test.conditions
		got := fixture.Stopped(t, interceptor.Funcs{}, fixture.Node("node", "8")).Resizer.PodSeen(t.Context(),
			view.Worker{Pod: pod}, "")
		if got.Unplaced != test.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// What trains in a pod begins anew with its container, whatever happens to those beside it.
func TestWhenATrainingHasBegun(t *testing.T) {
	runs := corev1.ContainerState{
		Running: &corev1.ContainerStateRunning{StartedAt: metav1.NewTime(fixture.Start.Add(-time.Minute))},
	}
	waits := corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff"}}
	for name, test := range map[string]struct {
		containers []corev1.ContainerStatus
		want       time.Time
	}{
		"nothing is told": {nil, time.Time{}},
		"it has never fallen": {[]corev1.ContainerStatus{{Name: "beside", State: waits, RestartCount: 3},
			{Name: "pytorch", State: runs}}, time.Time{}},
		"it runs again": {[]corev1.ContainerStatus{{Name: "beside", State: waits, RestartCount: 3},
			{Name: "pytorch", State: runs, RestartCount: 1}}, fixture.Start.Add(-time.Minute)},
		"it is to be started again": {[]corev1.ContainerStatus{{Name: "pytorch", State: waits, RestartCount: 3}},
			fixture.Start},
		"it is yet to begin": {[]corev1.ContainerStatus{{Name: "pytorch", State: waits}}, time.Time{}},
		"who falls stands beside it": {[]corev1.ContainerStatus{{Name: "pytorch", State: runs},
			{Name: "beside", State: waits, RestartCount: 3}}, time.Time{}},
	} {
		t.Run(name, func(t *testing.T) {
			pod := fixture.Worker0(fixture.PyTorchJob("job", 1), "node")
			pod.Spec.Containers = []corev1.Container{{Name: "pytorch"}, {Name: "beside"}}
			pod.Status.ContainerStatuses = test.containers
			o := fixture.Stopped(t, interceptor.Funcs{}, fixture.Node("node", "8"))
			if got := o.Resizer.PodSeen(t.Context(), view.Worker{Pod: pod}, "train").BeganAt; !got.Equal(test.want) {
				t.Errorf("%v, want %v", got, test.want)
			}
		})
	}
}
