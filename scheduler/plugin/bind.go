package plugin

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/takt-dev/takt/scheduler/gang"
)

var (
	_ fwk.PreBindPlugin  = &Takt{}
	_ fwk.PostBindPlugin = &Takt{}
)

// So many members are bound at a time, for gangs come through all at once, and an API server takes a hundred
// requests over one connection: for each one more the client would open another. One that has waited
// for its turn for long goes on without. At multiPoint, Takt comes behind the plugins of kube-scheduler, so
// nobody waits for volumes or devices while it holds up others.
const (
	mostBindings = 50
	bindingWait  = 10 * time.Second
)

// inside marks the state of a member that is being bound.
const inside fwk.StateKey = "takt.dev/inside"

type isInside struct{}

func (isInside) Clone() fwk.StateData { return isInside{} }

// PreBindPreFlight says that there is something to do for members only.
func (t *Takt) PreBindPreFlight(_ context.Context, _ fwk.CycleState, pod *corev1.Pod,
	_ string) (*fwk.PreBindPreFlightResult, *fwk.Status) {
	if !t.member(pod) {
		return nil, fwk.NewStatus(fwk.Skip)
	}
	return nil, nil
}

// PreBind waits until the member may be bound.
func (t *Takt) PreBind(ctx context.Context, state fwk.CycleState, pod *corev1.Pod, _ string) *fwk.Status {
	if !t.member(pod) {
		return nil
	}
	late := time.NewTimer(bindingWait)
	defer late.Stop()
	select {
	case t.bindings <- struct{}{}:
		state.Write(inside, isInside{})
	case <-late.C:
	case <-ctx.Done():
		return fwk.AsStatus(context.Cause(ctx))
	}
	return nil
}

// leave lets the next one in, if the member of a cycle is being bound.
func (t *Takt) leave(state fwk.CycleState) {
	if _, err := state.Read(inside); err == nil {
		state.Delete(inside)
		<-t.bindings
	}
}

// PostBind notes it at once: until the informer does, the node is known to the scheduler alone.
func (t *Takt) PostBind(_ context.Context, state fwk.CycleState, pod *corev1.Pod, node string) {
	t.leave(state)
	if !t.member(pod) {
		return
	}
	bound := read(pod)
	bound.Node = node
	t.with(func(b *gang.Book, now time.Time) {
		if b.Knows(bound.UID) {
			b.Saw(bound, now)
		}
	})
}
