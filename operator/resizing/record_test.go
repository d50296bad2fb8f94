package resizing

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/view"
)

// present is the moment that all tests begin at.
var present = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// proposed is a Resize that has come so far.
func proposed(epoch int64, from, to int32, conditions ...string) *v1alpha1.Resize {
	r := &v1alpha1.Resize{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "team", Name: fmt.Sprintf("resnet-%d", epoch), UID: types.UID(fmt.Sprintf("rz-%d", epoch)),
		},
		Spec: v1alpha1.ResizeSpec{
			ElasticJob: "resnet", Epoch: epoch, From: from, To: to, Mode: v1alpha1.ResizeLive, Reason: "SpareCapacity",
		},
	}
	for _, c := range conditions {
		r.Status.Conditions = append(r.Status.Conditions, metav1.Condition{
			Type: c, Status: metav1.ConditionTrue, Reason: "Because", LastTransitionTime: metav1.NewTime(present),
		})
	}
	return r
}

// The lines of a record follow each other though two leaders have written them whose clocks differ as clocks do. Where
// one was wrong by far, the next leader waits for nothing by its dates.
func TestARecordDoesNotGoBackInTime(t *testing.T) {
	for name, test := range map[string]struct{ last, now, want time.Duration }{
		"one clock":       {0, time.Second, time.Second},
		"a slower one":    {30 * time.Second, 10 * time.Second, 30 * time.Second},
		"a wrong one":     {time.Hour, 10 * time.Second, 10 * time.Second},
		"that of the API": {-time.Second, -10 * time.Second, 0},
	} {
		t.Run(name, func(t *testing.T) {
			r := proposed(3, 2, 8)
			r.CreationTimestamp = metav1.NewTime(present)
			if test.last >= 0 {
				note(r, resize.Step{Condition: resize.Proposed}, present.Add(test.last))
			}
			note(r, resize.Step{Condition: resize.Placed}, present.Add(test.now))
			at := r.Status.Conditions[len(r.Status.Conditions)-1].LastTransitionTime
			if got := at.Sub(present); got != test.want {
				t.Errorf("it is dated %s, want %s", got, test.want)
			}
		})
	}
}

// Whoever may write on a job may say that it was asked in the year 9999. No resize waits for that.
func TestNoResizeWaitsForADateThatSomebodyHasWritten(t *testing.T) {
	far := time.Date(9999, 12, 31, 23, 0, 0, 0, time.UTC)
	for name, test := range map[string]struct{ asked, now, want time.Time }{
		"as it was":              {present.Add(time.Second), present.Add(time.Minute), present.Add(time.Second)},
		"by a clock a bit ahead": {present.Add(time.Minute), present.Add(time.Second), present.Add(time.Minute)},
		"far off":                {far, present.Add(time.Hour), present},
		"far off, of a new one":  {far, present.Add(-time.Second), present.Add(-time.Minute)},
	} {
		t.Run(name, func(t *testing.T) {
			r := proposed(3, 2, 8, v1alpha1.ConditionProposed)
			r.CreationTimestamp = metav1.NewTime(present.Add(-time.Minute))
			z := Resizer{Now: func() time.Time { return test.now }, Limits: resize.DefaultLimits(),
				Planned: func() bool { return true }}
			s := &view.Subject{ElasticJob: &v1alpha1.ElasticJob{}}
			s.Job.Asked = resize.Ask{Epoch: 3, Stage: resize.Forward, Workers: 8, At: test.asked}
			if got := z.Observed(t.Context(), s, r).Job.Asked.At; !got.Equal(test.want) {
				t.Errorf("it counts from %s, want %s", got, test.want)
			}
		})
	}
}

// What the core asks to be written down is what it reads.
func TestARecordIsReadAsItWasWritten(t *testing.T) {
	r := proposed(3, 2, 8)
	r.Spec.Acceptable, r.Spec.Sizes, r.Generation = new(int32(4)), []int32{4, 8}, 1
	r.Status.Placement = v1alpha1.PlacementStatus{Fits: 5, Message: "no more", ObservedAt: v1alpha1.NewTime(present)}
	want := resize.Record{
		Epoch: 3, From: 2, To: 8, Acceptable: 4, Sizes: []resize.Workers{4, 8}, Mode: resize.Live, Why: "SpareCapacity",
		Placement: resize.Placement{Fits: 5, Message: "no more", At: present},
	}
	for i, line := range []resize.Condition{
		{Type: resize.Proposed, Reason: resize.SizeAsked, Message: "It is to have more."},
		{Type: resize.Committed, Reason: resize.CheckpointMade, Message: "Now."},
		{Type: resize.Succeeded, Reason: resize.ProgressSeen, Message: "It has."},
	} {
		line.At = present.Add(time.Duration(i) * time.Second)
		step := resize.Step{Do: resize.AddCondition, Condition: line.Type, Reason: line.Reason, Message: line.Message}
		if line.Type == resize.Succeeded {
			step.Cost = resize.Cost{Measured: true, Pause: 1500 * time.Millisecond, Lost: time.Minute}
		}
		note(r, step, line.At)
		want.Conditions = append(want.Conditions, line)
	}
	if diff := cmp.Diff(want, view.Record(r)); diff != "" {
		t.Error(diff)
	}
	if cost := (v1alpha1.ResizeCost{Pause: "1.5s", Lost: "1m0s"}); r.Status.Cost != cost ||
		r.Status.ObservedGeneration != 1 {
		t.Errorf("it cost %+v", r.Status.Cost)
	}
	if end := r.Ending(); end == nil || end.Type != v1alpha1.ConditionSucceeded {
		t.Errorf("it ends with %v", end)
	}
}

func TestTheRecordSaysWhatAResizeHasSettledFor(t *testing.T) {
	for name, c := range map[string]struct {
		ask      resize.Ask
		from, to resize.Workers
		want     *int32
	}{
		"all are asked for":            {resize.Ask{Epoch: 3, Stage: resize.Forward, Workers: 8}, 2, 8, nil},
		"fewer are":                    {resize.Ask{Epoch: 3, Stage: resize.Forward, Workers: 5}, 2, 8, new(int32(5))},
		"it was an earlier resize":     {resize.Ask{Epoch: 2, Stage: resize.Forward, Workers: 2}, 2, 8, nil},
		"it has turned round":          {resize.Ask{Epoch: 3, Stage: resize.Back, Workers: 2}, 2, 8, nil},
		"the job is stopped meanwhile": {resize.Ask{Epoch: 3, Stage: resize.Forward, Workers: 2, Suspended: true}, 2, 8, nil},
		"it shrinks":                   {resize.Ask{Epoch: 3, Stage: resize.Forward, Workers: 2}, 8, 2, nil},
	} {
		t.Run(name, func(t *testing.T) {
			got := settledFor(resize.Observed{
				Record: resize.Record{Epoch: 3, From: c.from, To: c.to}, Job: resize.Job{Asked: c.ask},
			})
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
