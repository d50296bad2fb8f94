package resizing_test

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/agent/contract"
	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/hearing"
	"github.com/takt-dev/takt/operator/progress"
)

// A kubelet may not write down for a minute what is written on a pod. It is written anew, so that it looks again, as
// long as the agent has not read it, and not for ever.
func TestWhatAnAgentDoesNotReadIsWrittenAnew(t *testing.T) {
	ej, job := fixture.ElasticJob("resnet"), fixture.PyTorchJob("resnet", 3)
	r := fixture.ResizeOf(ej, 3, 3, 2, v1alpha1.ConditionProposed, v1alpha1.ConditionCommitted)
	objects := append(wrappedWorkers(job, 3, "2", letInFor2), ej, job, r, fixture.Node("node", "8"))
	o := fixture.Stopped(t, interceptor.Funcs{}, objects...)
	var passed atomic.Int64 // milliseconds
	now := func() time.Time { return fixture.Start.Add(time.Duration(passed.Load()) * time.Millisecond) }
	var drains atomic.Bool
	o.Now = now
	o.Agents = &hearing.Agents{Now: now, Ask: func(context.Context, *corev1.Pod) (progress.Word, error) {
		return progress.Word{Drains: drains.Load()}, nil
	}}
	o.Furnish()
	o.Resizer.Again = func(types.NamespacedName) {}
	writtenAt := func() time.Duration {
		at, err := contract.ParseRequest(fixture.Get(t, o, "resnet-worker-2",
			&corev1.Pod{}).Annotations[contract.WrittenAnnotation])
		if err != nil {
			t.Fatal(err)
		}
		return at.At().Sub(fixture.Start)
	}
	after := func(span time.Duration) {
		t.Helper()
		passed.Store(span.Milliseconds())
		step(t, o, "resnet-3") // the agent is asked
		for leaver := fixture.Get(t, o, "resnet-worker-2", &corev1.Pod{}); o.Agents.Last(leaver).At.Before(now()); {
			runtime.Gosched()
		}
		step(t, o, "resnet-3") // and has said it
	}
	step(t, o, "resnet-3") // the mark
	for _, c := range []struct{ at, want time.Duration }{
		{time.Second / 2, 0}, {time.Second, time.Second}, {3 * time.Second / 2, time.Second},
		{5 * time.Second, 5 * time.Second},
	} {
		after(c.at)
		if got := writtenAt(); got != c.want {
			t.Fatalf("after %v it was written at %v, want %v", c.at, got, c.want)
		}
	}
	drains.Store(true)
	after(8 * time.Second)
	if got := writtenAt(); got != 5*time.Second {
		t.Errorf("it is written anew at %v, though it was read", got)
	}
}
