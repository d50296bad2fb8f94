package resize

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// recycled says whether a worker was replaced since the change. One at a time is enough: the others fail out of their
// collective, and all meet again.
func (v view) recycled(since time.Time) bool {
	if !v.grows() && !v.Record.CreatedAt.IsZero() { // by the clock that dates pods, which may be behind ours
		since = v.Record.CreatedAt
	}
	return len(v.indices(func(p Pod) bool {
		return p.Index < Index(v.goal()) && (p.State == PodTerminating || p.CreatedAt.After(since))
	})) > 0
}

// recyclable names the survivor to recycle: after a shrink, where no newcomer could be to blame, the last. Never
// worker 0, where the others meet.
func (v view) recyclable() (Pod, bool) {
	if !v.running() || len(v.Pods) == 0 {
		return Pod{}, false
	}
	rank := func(p Pod) int {
		switch {
		case p.Index == 0 || p.Index >= Index(v.goal()) || p.State != PodTraining:
			return 0
		case p.Draining: // it was chosen before a crash
			return 2
		case v.stage() == Forward && !v.grows():
			return 1
		default:
			return 0
		}
	}
	worst := slices.MaxFunc(v.Pods, func(a, b Pod) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Index, b.Index))
	})
	return worst, rank(worst) > 0
}

func (v view) recycle(p Pod) Step {
	one := []Index{p.Index}
	if !p.Draining {
		return Step{Do: MarkDraining, Pods: one, Reason: PodsMarked, Message: fmt.Sprintf(
			"Mark worker-%d, which is to be recycled, so that its exit is not taken for success.", p.Index)}
	}
	if v.deaf(p) {
		step, _ := v.heard(Workers(p.Index))
		return step
	}
	return Step{Do: DeletePods, Pods: one, Reason: WorkerRecycled, Message: fmt.Sprintf(
		"The training hangs: recycle worker-%d, so that the others notice and meet again.", p.Index)}
}
