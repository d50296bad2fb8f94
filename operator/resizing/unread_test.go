package resizing_test

import (
	"context"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/agent/contract"
	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/hearing"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/operator/rooms"
)

// late is an operator that is to stop a job of three workers, whose agents say this, and a clock that is moved by hand:
// after has it look at a moment, the agent of the first worker answer, and it look again.
func late(t *testing.T, says func() progress.Word) (o *rooms.Rooms, after func(time.Duration)) {
	t.Helper()
	ej, job := fixture.ElasticJob("resnet"), fixture.PyTorchJob("resnet", 3)
	r := fixture.ResizeOf(ej, 3, 3, 0, v1alpha1.ConditionProposed)
	r.Status.Conditions[0].LastTransitionTime = metav1.NewTime(fixture.Start)
	objects := append(wrappedWorkers(job, 3, "2", letInFor2), ej, job, r, fixture.Node("node", "8"))
	o = fixture.Stopped(t, interceptor.Funcs{}, objects...)
	var passed atomic.Int64 // milliseconds
	o.Now = func() time.Time { return fixture.Start.Add(time.Duration(passed.Load()) * time.Millisecond) }
	o.Agents = agentsThatSay(o.Now, says)
	o.Furnish()
	o.Resizer.Again = func(types.NamespacedName) {}
	return o, func(span time.Duration) {
		t.Helper()
		passed.Store(span.Milliseconds())
		step(t, o, "resnet-3")
		for first := fixture.Get(t, o, "resnet-worker-0", &corev1.Pod{}); o.Agents.Last(first).At.Before(o.Now()); {
			runtime.Gosched()
		}
		step(t, o, "resnet-3")
	}
}

// agentsThatSay are agents of which all say this.
func agentsThatSay(now func() time.Time, says func() progress.Word) *hearing.Agents {
	return &hearing.Agents{Now: now, Ask: func(context.Context, *corev1.Pod) (progress.Word, error) { return says(), nil }}
}

// committed is what a Resize says of its commit; empty if it is not.
func committed(t *testing.T, o *rooms.Rooms) string {
	t.Helper()
	stored := fixture.Get(t, o, "resnet-3", &v1alpha1.Resize{})
	if c := meta.FindStatusCondition(stored.Status.Conditions, v1alpha1.ConditionCommitted); c != nil {
		return c.Message
	}
	return ""
}

// A kubelet may take a minute to hand on a request for a checkpoint. The agent answers meanwhile, and says that it has
// not read it: nobody takes that for a training that does not answer, not even a process that has begun meanwhile.
func TestARequestThatHasNotReachedTheTrainingIsWaitedFor(t *testing.T) {
	request := contract.RequestAt(fixture.Start)
	for name, begunAnew := range map[string]bool{"one process": false, "another process": true} {
		t.Run(name, func(t *testing.T) {
			var word atomic.Pointer[progress.Word]
			word.Store(&progress.Word{CanSave: true})
			says := func() progress.Word { return *word.Load() }
			o, after := late(t, says)
			waits := func(at time.Duration) {
				t.Helper()
				after(at)
				if says := committed(t, o); says != "" {
					t.Fatalf("after %v: %s", at, says)
				}
			}
			for _, at := range []time.Duration{0, 10 * time.Second, 20 * time.Second, 30 * time.Second} {
				waits(at)
			}
			if begunAnew {
				o.Agents = agentsThatSay(o.Now, says)
				o = successor(o)
				o.Resizer.Again = func(types.NamespacedName) {}
			} else {
				waits(40 * time.Second)
			}
			waits(50 * time.Second)
			word.Store(&progress.Word{CanSave: true, Read: request})
			waits(60 * time.Second)
			waits(70 * time.Second)
			word.Store(&progress.Word{CanSave: true, Read: request, Answered: request})
			waits(72 * time.Second)
			word.Store(&progress.Word{CanSave: true, Read: request, Answered: request,
				SavedAt: fixture.Start.Add(80 * time.Second)})
			after(81 * time.Second)
			if says := committed(t, o); !strings.HasPrefix(says, "A checkpoint was just made.") {
				t.Errorf("once it is made: %q", says)
			}
		})
	}
}

// What is not handed on at all is not waited for without end, and the training is not blamed for it.
func TestARequestThatNeverReachesTheTrainingIsNotWaitedForForEver(t *testing.T) {
	o, after := late(t, func() progress.Word { return progress.Word{CanSave: true} })
	for at := time.Duration(0); at <= 2*time.Minute; at += 10 * time.Second {
		if says := committed(t, o); says != "" {
			t.Fatalf("before %v: %s", at, says)
		}
		after(at)
	}
	const want = "The request for a checkpoint did not reach the training within 2m: look why the kubelet " +
		"of its node has not handed it on."
	if says := committed(t, o); !strings.HasPrefix(says, want) {
		t.Errorf("it says %q", says)
	}
}

// Each request is written anew as often as it takes, up to a limit, however often others were before.
func TestEachRequestIsWrittenAnewAsOften(t *testing.T) {
	o, after := late(t, func() progress.Word { return progress.Word{CanSave: true} })
	writtenAt := func() time.Duration {
		at, err := contract.ParseRequest(fixture.Get(t, o, "resnet-worker-0",
			&corev1.Pod{}).Annotations[contract.WrittenAnnotation])
		if err != nil {
			t.Fatal(err)
		}
		return at.At().Sub(fixture.Start)
	}
	for at := range 20 {
		after(time.Duration(at) * time.Second)
	}
	if at := writtenAt(); at != 10*time.Second {
		t.Fatalf("the request for a checkpoint was written anew at %v at last", at)
	}
	marked := func() bool {
		_, is := fixture.Get(t, o, "resnet-worker-0", &corev1.Pod{}).Annotations[contract.DrainingAnnotation]
		return is
	}
	for after(2 * time.Minute); !marked(); {
		step(t, o, "resnet-3")
	}
	after(122 * time.Second)
	if at := writtenAt(); at != 122*time.Second {
		t.Errorf("the mark was written at %v at last", at)
	}
}

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
