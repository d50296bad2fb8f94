package plugin

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/kubernetes/pkg/scheduler/framework"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/scheduler/gang"
)

// takes has a pod take GPUs, and have a node.
func takes(gpus, node string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Spec.NodeName = node
		p.Spec.Containers = []corev1.Container{{Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{
			"nvidia.com/gpu": resource.MustParse(gpus),
		}}}}
	}
}

// A worker of resnet leaves six of the eight GPUs of its node, which are kept for its job: nobody else gets more than
// the two that were free, unless he is more important, or wants none.
func TestWhatAWorkerLeavesIsKeptForItsJob(t *testing.T) {
	important := func(p *corev1.Pod) { p.Spec.Priority = new(int32(10)) }
	another := func(p *corev1.Pod) { p.UID, p.Labels[v1alpha1.ElasticJobLabel] = "o", "other" }
	old := worker(takes("6", "node-0"), func(p *corev1.Pod) { p.UID = "old" })
	for name, c := range map[string]struct {
		pod     *corev1.Pod
		refused bool
	}{
		"a small pod":                 {&corev1.Pod{}, false},
		"one for which there is room": {plainPod(takes("2", "")), false},
		"one that wants more":         {plainPod(takes("3", "")), true},
		"one that is more important":  {plainPod(takes("3", ""), important), false},
		"one of another job":          {worker(takes("3", ""), another), true},
		"one of the same":             {worker(takes("6", "")), false},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(2, nil)
			info, err := framework.NewPodInfo(old)
			if err != nil {
				t.Fatal(err)
			}
			s.takt.leavers = map[gang.UID]leaver{"old": {read(old).Change, info}}
			state := framework.NewCycleState()
			if _, status := s.takt.keepFrom(state, c.pod); status != nil && !status.IsSkip() {
				t.Fatal(status)
			}
			for node, refused := range []bool{c.refused, false} {
				if status := s.takt.Filter(t.Context(), state, c.pod, s.nodes[node]); status.IsSuccess() == refused {
					t.Errorf("on %s: %v", s.nodes[node].Node().Name, status)
				}
			}
			full := s.nodes[0].Snapshot()
			full.AddPodInfo(info)
			if k := keptIn(state); k.on(full) != full && len(k.on(full).GetPods()) != 1 {
				t.Error("the worker counts twice while it is still there")
			}
		})
	}
}

// Those who were refused what was kept are tried again as soon as it is not, and nothing is in their way then. What
// another scheduler has placed is none of ours to keep.
func TestOthersAreTriedOnceNothingIsKeptAnyMore(t *testing.T) {
	for scheduler, want := range map[string]bool{"mine": true, "another": false} {
		s := newStage(1, nil)
		h := s.takt.sharedState
		h.book, h.buried, h.leavers = gang.NewBook(gang.DefaultLimits()), map[gang.UID]time.Time{}, map[gang.UID]leaver{}
		h.wake, h.room, h.woken = map[gang.UID]bool{}, map[gang.UID]bool{}, make(chan struct{}, 1)
		h.profiles = sets.New("mine")
		old := worker(takes("8", "node-0"), func(p *corev1.Pod) {
			p.Spec.SchedulerName, p.Status.Phase = scheduler, corev1.PodRunning
		})
		next := gang.Change{Namespace: "team", Job: "resnet", Epoch: 4}
		record := gang.Record{Pods: 4, Kept: 3, Anew: true}
		h.with(func(b *gang.Book, now time.Time) { b.Recorded(next, record, now) })
		h.saw(old)
		h.gone(old)
		state, pod := framework.NewCycleState(), plainPod(takes("1", ""))
		s.takt.keepFrom(state, pod)
		if refused := !s.takt.Filter(t.Context(), state, pod, s.nodes[0]).IsSuccess(); refused != want {
			t.Errorf("%s: refused is %v", scheduler, refused)
		}
		record.Over = true
		h.with(func(b *gang.Book, now time.Time) { b.Recorded(next, record, now) })
		if h.freed != want || len(h.leavers) > 0 {
			t.Errorf("%s: those that wait are tried: %v; %d are kept", scheduler, h.freed, len(h.leavers))
		}
	}
}

// plainPod is a pod of no gang.
func plainPod(change ...func(*corev1.Pod)) *corev1.Pod {
	pod := &corev1.Pod{}
	for _, c := range change {
		c(pod)
	}
	return pod
}
