package operator

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/view"
)

// What the core asks to be written down is what it reads.
func TestARecordIsReadAsItWasWritten(t *testing.T) {
	r := resizeOf(elasticJob("resnet"), 3, 2, 8)
	r.Spec.Acceptable, r.Generation = new(int32(4)), 1
	r.Status.Placement = v1alpha1.PlacementStatus{Fits: 5, Message: "no more", ObservedAt: v1alpha1.NewTime(start)}
	want := resize.Record{
		Epoch: 3, From: 2, To: 8, Acceptable: 4, Mode: resize.Live, Why: "SpareCapacity",
		Placement: resize.Placement{Fits: 5, Message: "no more", At: start},
	}
	for i, line := range []resize.Condition{
		{Type: resize.Proposed, Reason: resize.SizeAsked, Message: "It is to have more."},
		{Type: resize.Committed, Reason: resize.CheckpointMade, Message: "Now."},
		{Type: resize.Succeeded, Reason: resize.ProgressSeen, Message: "It has."},
	} {
		line.At = start.Add(time.Duration(i) * time.Second)
		step := resize.Step{Do: resize.AddCondition, Condition: line.Type, Reason: line.Reason, Message: line.Message}
		if line.Type == resize.Succeeded {
			step.Cost = resize.Cost{Measured: true, Pause: 1500 * time.Millisecond, Lost: time.Minute}
		}
		note(r, step, line.At)
		want.Conditions = append(want.Conditions, line)
	}
	if diff := cmp.Diff(want, record(r)); diff != "" {
		t.Error(diff)
	}
	if cost := (v1alpha1.ResizeCost{Pause: "1.5s", Lost: "1m0s"}); r.Status.Cost != cost || r.Status.ObservedGeneration != 1 {
		t.Errorf("it cost %+v", r.Status.Cost)
	}
	if end := r.Ending(); end == nil || end.Type != v1alpha1.ConditionSucceeded {
		t.Errorf("it ends with %v", end)
	}
}

// Whether a training hangs is not told by who has not looked at it: a process that was held up begins anew.
func TestNobodyIsToldToHangWhileNobodyLooked(t *testing.T) {
	running := []view.Worker{{Index: 0, Pod: worker0(pytorchJob("resnet", 1), "a")}}
	o := stopped(t, interceptor.Funcs{})
	s := &view.Subject{ElasticJob: elasticJob("resnet"), Known: o.memory.Of("1", start, unseen), Pods: running}
	unwatched := memory.Unwatched(o.settings.Progress.Every.Duration, o.settings.Progress.Timeout.Duration, o.limits.VerifyWithin)
	watched := func(after time.Duration) time.Duration {
		return o.watchedSince(s, start.Add(after)).Sub(start)
	}
	look := func(after time.Duration) { s.Known.Looked(start.Add(after), unwatched, true) }
	is := func(what string, got, want time.Duration) {
		t.Helper()
		if got != want {
			t.Errorf("%s it has watched from %v on, want %v", what, got, want)
		}
	}
	is("before the first look", watched(time.Hour), 0)
	late := unwatched + time.Second
	look(0)
	is("while looks come in time", watched(unwatched), 0)
	is("when none has come", watched(late), late)
	look(late)
	is("once it looks again", watched(late+time.Second), late)
	s.Known.NothingToSee()
	is("while there is nothing to see", watched(time.Hour), late)
	look(2 * time.Hour)
	is("when there is again", watched(2*time.Hour), late)
	s.Pods = nil
	is("where nobody trains", watched(3*time.Hour), late)
	s.Pods, s.Taken = running, elasticJob("other")
	is("where the job is another's", watched(3*time.Hour), late)
}
