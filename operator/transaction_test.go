package operator

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
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
	if end := ending(r); end == nil || end.Type != v1alpha1.ConditionSucceeded {
		t.Errorf("it ends with %v", end)
	}
}
