package plugin

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/takt-dev/takt/scheduler/gang"
	"github.com/takt-dev/takt/scheduler/settings"
)

var (
	_ fwk.ReservePlugin = &Takt{}
	_ fwk.PermitPlugin  = &Takt{}
)

// Reserve has nothing to do: what is reserved counts once Permit is reached.
func (t *Takt) Reserve(context.Context, fwk.CycleState, *corev1.Pod, string) *fwk.Status { return nil }

// Unreserve lets the whole gang go if one of its pods has lost its node.
func (t *Takt) Unreserve(_ context.Context, state fwk.CycleState, pod *corev1.Pod, node string) {
	t.leave(state)
	if !t.member(pod) {
		return
	}
	t.with(func(b *gang.Book, now time.Time) {
		b.Failed(uidOf(pod), plannedIn(state).plan, fmt.Sprintf("pod %s could not have node %s", pod.Name, node), now)
	})
}

// Permit lets a pod wait for the others of its gang, or, if it is the last, all of them through.
func (t *Takt) Permit(_ context.Context, state fwk.CycleState, pod *corev1.Pod, _ string) (*fwk.Status, time.Duration) {
	if !t.member(pod) {
		return nil, 0
	}
	var allow []gang.UID
	var until time.Time
	var outcome gang.Outcome
	known := false
	t.with(func(b *gang.Book, now time.Time) {
		known = b.Knows(uidOf(pod))
		allow, until, outcome = b.Reserved(uidOf(pod), plannedIn(state).plan, now)
	})
	switch {
	case !known:
		return nil, 0
	case outcome == gang.Complete:
	case outcome == gang.Incomplete:
		// The book ends the plan in time, for all of them at once.
		const spare = 5 * time.Second
		return fwk.NewStatus(fwk.Wait, "the other pods of the gang have no node yet"), max(time.Until(until), 0) + spare
	default:
		return fwk.NewStatus(fwk.UnschedulableAndUnresolvable, "the gang has let go of its nodes"), 0
	}
	for _, uid := range allow {
		if waiting := t.handle.GetWaitingPod(types.UID(uid)); waiting != nil {
			waiting.Allow(settings.Plugin)
		}
	}
	return nil, 0
}
