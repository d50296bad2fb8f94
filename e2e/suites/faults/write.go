package faults

import (
	"context"
	"fmt"

	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
)

// Write is one write of the operator.
type Write struct {
	Number           int // from 1
	Verb, Kind, Name string
	UID              string // of what is deleted
	Committed        bool
}

func (w Write) String() string {
	text := fmt.Sprintf("%d: %s %s %s", w.Number, w.Verb, w.Kind, w.Name)
	if !w.Committed {
		text += " (refused)"
	}
	return text
}

// Answer is what becomes of a write.
type Answer struct {
	// Instead is done in place of the write; nil does the write.
	Instead func() error
	// Then replaces what the operator is told of a write that was done.
	Then error
	// DieBefore and DieAfter end the process right before the write, or once it is done and before
	// the process is told.
	DieBefore, DieAfter bool
}

func (a Answer) fault() bool { return a.Instead != nil || a.Then != nil || a.DieBefore || a.DieAfter }

// write does one write of the operator, or what a fault makes of it.
func (i *Injector) write(verb string, object client.Object, c client.Client, do func() error) error {
	kind := fmt.Sprintf("%T", object)
	if gvk, err := apiutil.GVKForObject(object, c.Scheme()); err == nil {
		kind = gvk.Kind
	}
	i.mu.Lock()
	if i.dead {
		i.mu.Unlock()
		return errDead
	}
	number := len(i.writes)
	w := Write{Number: number + 1, Verb: verb, Kind: kind, Name: object.GetName(), UID: string(object.GetUID())}
	var answer Answer
	if i.Refuse != nil && !i.off {
		answer = i.Refuse(w, i.chance)
	}
	if answer.fault() {
		i.injected++
	}
	i.writes = append(i.writes, w)
	if answer.DieBefore {
		i.die()
		i.mu.Unlock()
		return errDead
	}
	i.mu.Unlock()

	if answer.Instead != nil {
		err := answer.Instead()
		i.outcome(number, false)
		return err
	}
	err := do()
	i.outcome(number, err == nil)
	if answer.DieAfter {
		i.mu.Lock()
		i.die()
		i.mu.Unlock()
		return errDead
	}
	if err != nil {
		return err
	}
	return answer.Then
}

// die ends the process. The caller holds the lock.
func (i *Injector) die() {
	i.dead = true
	i.crashes++
	i.kill()
}

func (i *Injector) outcome(number int, committed bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.writes[number].Committed = committed
}

// newClient is the client of the manager with its writes intercepted. It reads from the cache.
func (i *Injector) newClient(config *rest.Config, options client.Options) (client.Client, error) {
	inner, err := client.NewWithWatch(config, options)
	if err != nil {
		return nil, err
	}
	return interceptor.NewClient(inner, interceptor.Funcs{
		Create: func(ctx context.Context, c client.WithWatch, o client.Object, opts ...client.CreateOption) error {
			return i.write("create", o, c, func() error { return c.Create(ctx, o, opts...) })
		},
		Delete: func(ctx context.Context, c client.WithWatch, o client.Object, opts ...client.DeleteOption) error {
			return i.write("delete", o, c, func() error { return c.Delete(ctx, o, opts...) })
		},
		Update: func(ctx context.Context, c client.WithWatch, o client.Object, opts ...client.UpdateOption) error {
			return i.write("update", o, c, func() error { return c.Update(ctx, o, opts...) })
		},
		Patch: func(ctx context.Context, c client.WithWatch, o client.Object, p client.Patch,
			opts ...client.PatchOption) error {
			return i.write("patch", o, c, func() error { return c.Patch(ctx, o, p, opts...) })
		},
		SubResourceUpdate: func(ctx context.Context, c client.Client, sub string, o client.Object,
			opts ...client.SubResourceUpdateOption) error {
			return i.write("update "+sub, o, c, func() error { return c.SubResource(sub).Update(ctx, o, opts...) })
		},
		SubResourcePatch: func(ctx context.Context, c client.Client, sub string, o client.Object, p client.Patch,
			opts ...client.SubResourcePatchOption) error {
			return i.write("patch "+sub, o, c, func() error { return c.SubResource(sub).Patch(ctx, o, p, opts...) })
		},
	}), nil
}
