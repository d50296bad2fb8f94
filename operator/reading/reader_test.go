package reading_test

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/profiles"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/operator/reading"
	"github.com/takt-dev/takt/operator/rooms"
	"github.com/takt-dev/takt/operator/settings"
	"github.com/takt-dev/takt/operator/view"
)

// A job of a master alone has no workers to ask for GPUs.
func TestTheUseOfAJobWithoutWorkersIsNotRead(t *testing.T) {
	job := fixture.PyTorchJob("resnet", 1, func(j *kubeflow.PyTorchJob) {
		delete(j.Spec.PyTorchReplicaSpecs, "Worker")
	})
	ej := fixture.ElasticJob("resnet")
	o := fixture.Stopped(t, interceptor.Funcs{}, ej, job)
	s, err := o.View.Look(t.Context(), ej)
	if err != nil {
		t.Fatal(err)
	}
	if o.Reader.WatchUse(t.Context(), s, []*corev1.Pod{fixture.Worker0(job, "node")}) {
		t.Error("there is news of its use")
	}
}

// readOperator is an operator whose reader alone is called.
type readOperator struct{ *rooms.Rooms }

func (o *readOperator) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	return o.Reader.Reconcile(ctx, request)
}

// readBy is a reader of a cluster that has these objects, and of a source that tells what it is told to.
func readBy(t *testing.T, answer func(context.Context) (progress.Sample, error),
	objects ...client.Object) (*readOperator, *fixture.Spoken) {
	t.Helper()
	o := fixture.Stopped(t, interceptor.Funcs{}, objects...)
	from := &fixture.Spoken{Answer: answer}
	o.Sources = fixture.SourcesOf(o.Settings.Progress.Every.Duration, from)
	o.Furnish()
	// Nobody serves how busy the GPUs are.
	o.Memory.Of("job-resnet", fixture.Start, fixture.Unseen).DueToReadUse(fixture.Start.Add(24*time.Hour), 0)
	return &readOperator{o}, from
}

func half(context.Context) (progress.Sample, error) {
	return progress.Sample{Done: 1, Total: 2, Unit: "steps"}, nil
}

func TestAJobThatIsLeftAloneIsNotRead(t *testing.T) {
	job, ej := fixture.PyTorchJob("resnet", 1), fixture.ElasticJob("resnet")
	scaler := &autoscalingv2.HorizontalPodAutoscaler{
		ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: "hpa"},
		Spec: autoscalingv2.HorizontalPodAutoscalerSpec{
			ScaleTargetRef: autoscalingv2.CrossVersionObjectReference{Kind: "PyTorchJob", Name: "resnet"},
		},
	}
	for name, test := range map[string]struct {
		objects []client.Object
		want    int
	}{
		"left alone":                  {[]client.Object{scaler}, 0},
		"left alone, during a resize": {[]client.Object{scaler, fixture.ResizeOf(ej, 1, 1, 2)}, 1},
		"looked after":                {nil, 1},
		"looked after, in a resize":   {[]client.Object{fixture.ResizeOf(ej, 1, 1, 2)}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			o, from := readBy(t, half, append(test.objects, ej.DeepCopy(), job.DeepCopy(), fixture.Node("node", "8"),
				fixture.Worker0(job, "node"))...)
			result, err := o.Reconcile(t.Context(), fixture.Request("resnet"))
			if err != nil || result.RequeueAfter == 0 {
				t.Errorf("%+v, %v: nobody looks again", result, err)
			}
			if from.Asked != test.want {
				t.Errorf("it is read %d times, want %d", from.Asked, test.want)
			}
		})
	}
}

func TestAFailedReadingIsNotHeard(t *testing.T) {
	unreachable := fmt.Errorf("progress from Logs: %w", progress.ErrUnreachable)
	for name, test := range map[string]struct {
		err        error
		want, seen bool
	}{
		"it tells":               {nil, true, true},
		"it has nothing to tell": {progress.ErrNone, true, true},
		"it is in doubt":         {progress.ErrUnsure, true, false},  // the training may well go on
		"it tells nonsense":      {progress.ErrGarbage, true, false}, // which no further reading would change
		"it does not answer":     {unreachable, false, false},
		"it takes too long":      {progress.ErrTimeout, false, false},
		"it refuses":             {errors.Join(unreachable, syscall.ECONNREFUSED), false, false},
	} {
		t.Run(name, func(t *testing.T) {
			job, ej := fixture.PyTorchJob("resnet", 1), fixture.ElasticJob("resnet")
			answer := func(ctx context.Context) (progress.Sample, error) {
				sample, _ := half(ctx)
				return sample, test.err
			}
			o, _ := readBy(t, answer, ej, job, fixture.Node("node", "8"), fixture.Worker0(job, "node"))
			now := fixture.Start
			o.Now = func() time.Time { return now }
			o.Planner.Warm.Store(false)
			early := func() bool {
				sc, err := o.Planner.Observe(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				return o.Planner.Early(sc)
			}
			if !early() {
				t.Error("the first plan does not wait for a reading")
			}
			result, err := o.Reconcile(t.Context(), fixture.Request("resnet"))
			if err != nil {
				t.Fatal(err)
			}
			if soon := result.RequeueAfter < memory.MostPatience/2; soon == test.want {
				t.Errorf("it is read again after %v", result.RequeueAfter)
			}
			if got := o.Memory.Of(job.UID, now, fixture.Unseen).SeenAt(); !got.IsZero() != test.seen {
				t.Errorf("it was seen at %v, want %t", got, test.seen)
			}
			if got := !early(); got != test.want {
				t.Errorf("heard: %t, want %t", got, test.want)
			}
			now = fixture.Start.Add(memory.MostPatience + time.Second)
			if early() {
				t.Error("the first plan waits for longer than it may")
			}
		})
	}
}

// A reading that fails after one that did not takes nothing back.
func TestWhatWasHeardStaysHeard(t *testing.T) {
	known := fixture.Stopped(t, interceptor.Funcs{}).Memory.Of("1", fixture.Start, fixture.Unseen)
	known.Looked(fixture.Start, time.Hour, true)
	known.Looked(fixture.Start, time.Hour, false)
	if !known.Heard() {
		t.Error("it is not heard")
	}
}

// The jobs of one namespace that take all the time they have wait for one another, and not others for them.
func TestAReadingThatFindsNoTurnComesAgain(t *testing.T) {
	job := fixture.PyTorchJob("resnet", 1)
	var now time.Time
	hangs := func(context.Context) (progress.Sample, error) {
		now = now.Add(5 * time.Second)
		return progress.Sample{}, progress.ErrTimeout
	}
	o, from := readBy(t, hangs, fixture.ElasticJob("resnet"), job, fixture.Node("node", "8"), fixture.Worker0(job, "node"))
	now = fixture.Start
	o.Now = func() time.Time { return now }
	read := func(want int) time.Duration {
		t.Helper()
		result, err := o.Reconcile(t.Context(), fixture.Request("resnet"))
		if err != nil || from.Asked != want {
			t.Errorf("it was read %d times, want %d: %v", from.Asked, want, err)
		}
		now = now.Add(result.RequeueAfter)
		return result.RequeueAfter
	}
	read(1)
	var held []reading.Turn
	for range settings.Default().API.Workers {
		if turn, wait := o.Turns.Take("team", true, true, now); wait == 0 {
			held = append(held, turn)
		}
	}
	if again := read(1); again <= 0 || again >= o.Settings.Progress.Every.Duration {
		t.Errorf("without a turn it comes again after %v", again)
	}
	for _, turn := range held {
		o.Turns.Give(turn, now)
	}
	read(2)
	for range held {
		if _, wait := o.Turns.Take("team", true, true, now); wait > 0 {
			t.Error("a turn is not given back")
		}
	}
}

// A job that waits learns from those of its code that run in the meantime.
func TestAProfileIsReadAgainWhereItIsShared(t *testing.T) {
	for name, test := range map[string]struct {
		profile string
		want    bool
	}{
		"shared":    {"resnet50", true},
		"of itself": {"", false},
	} {
		t.Run(name, func(t *testing.T) {
			_, owner := profiles.ProfileOf(fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) {
				ej.Spec.Profile = test.profile
			}))
			if !view.ProfileDue(time.Time{}, fixture.Start, owner == nil) {
				t.Error("it is not read at first")
			}
			if view.ProfileDue(fixture.Start, fixture.Start.Add(view.ProfileEvery-1), owner == nil) {
				t.Error("it is read again too soon")
			}
			if due := view.ProfileDue(fixture.Start, fixture.Start.Add(view.ProfileEvery), owner == nil); due != test.want {
				t.Errorf("it is read again: %t, want %t", due, test.want)
			}
		})
	}
}
