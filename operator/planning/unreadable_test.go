package planning_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/rooms"
	"github.com/takt-dev/takt/operator/view"
)

// That a node cannot be read says nothing of it: none of its pods is given up, and nothing begins before it can.
func TestANodeThatCannotBeReadIsNotLost(t *testing.T) {
	fails := true
	funcs := interceptor.Funcs{Get: func(ctx context.Context, c client.WithWatch, key client.ObjectKey, into client.Object,
		options ...client.GetOption) error {
		if _, node := into.(*corev1.Node); node && fails {
			return errors.New("the cache has not caught up")
		}
		return c.Get(ctx, key, into, options...)
	}}
	job := fixture.PyTorchJob("resnet", 1)
	ej := fixture.ElasticJob("resnet")
	o := fixture.Stopped(t, funcs, ej, job, fixture.Worker0(job, "node"),
		fixture.Node("node", "8"))
	if state := o.Resizer.PodSeen(t.Context(), view.Worker{Pod: fixture.Worker0(job, "node")},
		"").State; state == resize.PodLost {
		t.Error("its pod is given up")
	}
	if _, err := o.Reader.Reconcile(t.Context(), fixture.Request("resnet")); err == nil {
		t.Error("it is read how far the job is, though nobody can tell on which GPUs it trains")
	}
	fixture.Decides(o, elastic.Resize{Job: "team/resnet", From: 1, To: 2, Reason: "GPUsFree"}, "There is room.")
	if fixture.Plans(t, o); len(fixture.ResizesOf(t, o)) > 0 {
		t.Error("a resize of its job begins")
	}
	if stuck := o.Last.Load().Seen["team/resnet"].Stuck; len(stuck) > 0 {
		t.Errorf("its pod counts as stuck: %+v", stuck)
	}
	begun := fixture.ResizeOf(ej, 7, 1, 2)
	if err := o.Client.Create(t.Context(), begun); err != nil {
		t.Fatal(err)
	}
	if _, err := o.Resizer.Reconcile(t.Context(), fixture.Request(begun.Name)); err == nil {
		t.Error("a resize goes on, though nobody can tell who of its workers is lost")
	}
	if err := o.Client.Delete(t.Context(), begun); err != nil {
		t.Fatal(err)
	}
	fails = false
	if fixture.Plans(t, o); len(fixture.ResizesOf(t, o)) == 0 {
		t.Error("none begins once it can be read")
	}
}

// What cannot be listed is not taken for what is not there: no plan is made without it. What other profiles teach is a
// help that a plan can do without.
func TestNoPlanIsMadeOfAListThatCannotBeRead(t *testing.T) {
	job := fixture.PyTorchJob("resnet", 1)
	objects := []client.Object{fixture.ElasticJob("resnet"), job, fixture.Worker0(job, "node"), fixture.Node("node", "8"),
		fixture.ElasticJob("waits"),
		fixture.PyTorchJob("waits", 1, fixture.SuspendedAtFirst)}
	lists, all, failing := 0, 0, -1
	var failed client.ObjectList
	funcs := interceptor.Funcs{List: func(ctx context.Context, c client.WithWatch, into client.ObjectList,
		options ...client.ListOption) error {
		if lists++; lists-1 == failing {
			failed = into
			return fmt.Errorf("no %T for now", into)
		}
		return c.List(ctx, into, options...)
	}}
	plan := func() (*rooms.Rooms, error) {
		o := fixture.Stopped(t, funcs, objects...)
		lists = 0
		_, err := o.Planner.Plan(t.Context())
		all, failing = lists, -1
		return o, err
	}
	if o, err := plan(); err != nil || len(fixture.ResizesOf(t, o)) == 0 {
		t.Fatalf("nothing begins where all can be read: this proves nothing (%v)", err)
	}
	for at := range all {
		failing = at
		o, err := plan()
		_, helps := failed.(*v1alpha1.TrainingProfileList)
		if begun := fixture.ResizesOf(t, o); (err == nil && len(begun) > 0) != helps {
			t.Errorf("without list %d, %T: %v", at, failed, begun)
		}
	}
}
