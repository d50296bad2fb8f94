package reporting_test

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/cached"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/operator/writing"
	"github.com/takt-dev/takt/predictor"
)

// A worker that is told to leave and exits with 0 ends the whole job as if its work were done.
func TestAJobThatAShrinkHasEndedIsNotSaidToHaveMetItsDeadline(t *testing.T) {
	const (
		why   = "ended at 42 %, while Takt made it smaller"
		hour  = time.Hour
		never = 1000 * time.Hour
	)
	for name, test := range map[string]struct {
		from, to int32
		// that it was going to take from when it was last read, ten seconds before its end; 0 if nobody knew
		left      time.Duration
		least     time.Duration // the same at the earliest; 0 if nobody knew
		committed time.Duration // before the end of the job; never if nobody was told to leave
		ended     time.Duration // before the end of the job; never while the Resize was under way
		ppm       int32
		want      v1alpha1.Verdict
	}{
		"in the middle of a shrink":       {4, 3, hour, 0, time.Minute, never, 420_000, v1alpha1.VerdictMissed},
		"within the second of the shrink": {4, 3, hour, 0, 0, never, 420_000, v1alpha1.VerdictMissed},
		"the shrink has ended with it": {
			4, 3, hour, 0, time.Minute, -time.Second, 420_000, v1alpha1.VerdictMissed,
		},
		"before anybody was told to leave": {4, 3, hour, 0, never, never, 420_000, v1alpha1.VerdictMet},
		"long after a shrink":              {4, 3, hour, 0, hour, 50 * time.Minute, 420_000, v1alpha1.VerdictMet},
		"in the middle of a growth":        {3, 4, hour, 0, time.Minute, never, 420_000, v1alpha1.VerdictMet},
		"nearly done, and it was shrunk": {
			4, 3, 15 * time.Second, 0, time.Minute, never, 420_000, v1alpha1.VerdictMet,
		},
		"sooner than it could have been": {
			4, 3, 19 * time.Second, 15 * time.Second, time.Minute, never, 420_000, v1alpha1.VerdictMissed,
		},
		"nobody knows when it would end":           {4, 3, 0, 0, time.Minute, never, 420_000, v1alpha1.VerdictMissed},
		"nobody knows, and it was all done":        {4, 3, 0, 0, time.Minute, never, 1e6, v1alpha1.VerdictMet},
		"nobody knows, and it was as good as done": {4, 3, 0, 0, time.Minute, never, 999_900, v1alpha1.VerdictMet},
		"nothing is known of it":                   {4, 3, 0, 0, time.Minute, never, 0, v1alpha1.VerdictMissed},
		"nothing but when it would end":            {4, 3, hour, 0, time.Minute, never, 0, v1alpha1.VerdictMissed},
	} {
		t.Run(name, func(t *testing.T) {
			end := fixture.Start.Add(-time.Minute)
			job := fixture.PyTorchJob("resnet", 3, fixture.FinishedAt(end), fixture.AskedFor(1, resize.Forward))
			ej := fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) {
				ej.Spec.DeadlineAfter = "3h"
				read := end.Add(-10 * time.Second)
				if test.ppm > 0 {
					ej.Status.Progress = v1alpha1.ProgressStatus{PartsPerMillion: test.ppm, ObservedAt: v1alpha1.NewTime(read)}
				}
				if test.left > 0 {
					ej.Status.Prediction.ETA = v1alpha1.NewTime(read.Add(test.left))
				}
				if test.least > 0 {
					ej.Status.Prediction.Earliest = v1alpha1.NewTime(read.Add(test.least))
				}
			})
			r := &v1alpha1.Resize{
				ObjectMeta: metav1.ObjectMeta{
					Namespace: "team", Name: "resnet-1", OwnerReferences: []metav1.OwnerReference{writing.OwnedBy(ej)},
					CreationTimestamp: metav1.NewTime(end.Add(-2 * time.Minute)),
				},
				Spec: v1alpha1.ResizeSpec{ElasticJob: "resnet", Epoch: 1, From: test.from, To: test.to, Mode: v1alpha1.ResizeLive},
			}
			for kind, before := range map[string]time.Duration{v1alpha1.ConditionCommitted: test.committed,
				v1alpha1.ConditionSucceeded: test.ended} {
				if before != never {
					r.Status.Conditions = append(r.Status.Conditions, metav1.Condition{
						Type: kind, Status: metav1.ConditionTrue, Reason: "Test", LastTransitionTime: metav1.NewTime(end.Add(-before)),
					})
				}
			}
			if _, err := cached.TrimResize(r); err != nil { // as the operator reads it
				t.Fatal(err)
			}
			short := test.want == v1alpha1.VerdictMissed
			why := why
			if test.ppm == 0 {
				why = "ended while Takt made it smaller"
			}
			o := fixture.Stopped(t, interceptor.Funcs{}, ej, job, r,
				&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "team"}})
			for _, look := range []string{"first", "second"} {
				status := fixture.StatusAsWritten(t.Context(), t, o, ej, nil)
				if status.Verdict != test.want || strings.Contains(status.Message, why) != short {
					t.Errorf("at the %s look %s: %s", look, status.Verdict, status.Message)
				}
				if ended := status.Prediction.ETA == v1alpha1.NewTime(end); ended == short || short && status.Prediction.ETA != "" {
					t.Errorf("at the %s look it is expected to end at %q", look, status.Prediction.ETA)
				}
				if done := status.Progress.PartsPerMillion; (done == test.ppm) != (short || test.ppm == 1e6) {
					t.Errorf("at the %s look its progress is said to be %d ppm", look, done)
				}
				if failed := meta.IsStatusConditionTrue(status.Conditions, v1alpha1.ConditionFailed); failed != short {
					t.Errorf("at the %s look its conditions say that it has failed: %t", look, failed)
				}
				ej.Status = status
			}
		})
	}
}

// What was said of the end of a job stays, though what it was judged by is gone: the resizes of long ago are forgotten.
// What was read of it since its last status counts.
func TestWhatWasSaidOfTheEndOfAJobStays(t *testing.T) {
	for name, test := range map[string]struct {
		read float64 // the share that was done when it was last read, which its status does not tell yet; 0 if it was not
		want v1alpha1.Verdict
	}{
		"a shrink has ended it":  {0, v1alpha1.VerdictMissed},
		"it was as good as done": {0.9999, v1alpha1.VerdictMet},
	} {
		t.Run(name, func(t *testing.T) {
			end := fixture.Start.Add(-time.Minute)
			job := fixture.PyTorchJob("resnet", 3, fixture.FinishedAt(end), fixture.AskedFor(1, resize.Forward))
			ej := fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) {
				ej.Spec.DeadlineAfter = "3h"
				ej.Status.Progress = v1alpha1.ProgressStatus{
					PartsPerMillion: 420_000, ObservedAt: v1alpha1.NewTime(end.Add(-10 * time.Second)),
				}
			})
			r := &v1alpha1.Resize{
				ObjectMeta: metav1.ObjectMeta{
					Namespace: "team", Name: "resnet-1", OwnerReferences: []metav1.OwnerReference{writing.OwnedBy(ej)},
					CreationTimestamp: metav1.NewTime(end.Add(-2 * time.Hour)),
				},
				Spec: v1alpha1.ResizeSpec{ElasticJob: "resnet", Epoch: 1, From: 4, To: 3, Mode: v1alpha1.ResizeLive},
				Status: v1alpha1.ResizeStatus{Conditions: []metav1.Condition{{
					Type: v1alpha1.ConditionCommitted, Status: metav1.ConditionTrue, Reason: "Test",
					LastTransitionTime: metav1.NewTime(end.Add(-time.Minute)),
				}}},
			}
			o := fixture.Stopped(t, interceptor.Funcs{}, ej, job, r,
				&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "team"}})
			ej.Status = fixture.StatusAsWritten(t.Context(), t, o, ej, func(known *memory.Job, _ time.Time) {
				if test.read > 0 {
					known.Run.Sample(progress.Sample{
						Source: v1alpha1.ProgressLogs, At: end.Add(-time.Second), Done: test.read * 1000, Total: 1000, Unit: "steps",
					}, predictor.Shape{Workers: 4, Nodes: 1})
				}
			})
			if ej.Status.Verdict != test.want {
				t.Fatalf("it is said to be %s: %s", ej.Status.Verdict, ej.Status.Message)
			}
			if err := o.Client.Delete(t.Context(), r); err != nil {
				t.Fatal(err)
			}
			if status := fixture.StatusAsWritten(t.Context(), t, o, ej, nil); status.Verdict != test.want {
				t.Errorf("once its resizes are forgotten it is said to be %s: %s", status.Verdict, status.Message)
			}
		})
	}
}

// The end of a job is told in whole seconds. One that was late within the second of its deadline is not said to have
// met it, as it was said to be late while it still trained.
func TestAJobThatWasLateByLessThanASecondStaysLate(t *testing.T) {
	for name, c := range map[string]struct {
		before v1alpha1.Verdict
		end    time.Time
		want   v1alpha1.Verdict
	}{
		"it was said to be late": {v1alpha1.VerdictMissed, fixture.Start.Add(-time.Minute),
			v1alpha1.VerdictMissed},
		"it was said to be in time": {v1alpha1.VerdictOnTrack, fixture.Start.Add(-time.Minute), v1alpha1.VerdictMet},
		"its deadline was another meanwhile": {v1alpha1.VerdictMissed, fixture.Start.Add(-2 * time.Minute),
			v1alpha1.VerdictMet},
	} {
		t.Run(name, func(t *testing.T) {
			job := fixture.PyTorchJob("resnet", 3, fixture.FinishedAt(c.end))
			ej := fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) {
				ej.Spec.Deadline, ej.Status.Verdict = v1alpha1.NewTime(fixture.Start.Add(-time.Minute)), c.before
			})
			o := fixture.Stopped(t, interceptor.Funcs{}, ej, job, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "team"}})
			for _, look := range []string{"first", "second"} {
				status := fixture.StatusAsWritten(t.Context(), t, o, ej, nil)
				if status.Verdict != c.want {
					t.Errorf("at the %s look %s: %s", look, status.Verdict, status.Message)
				}
				ej.Status = status
			}
		})
	}
}
