package view_test

import (
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/learn"
	"github.com/takt-dev/takt/operator/view"
)

func TestWhoHasSuspendedAJob(t *testing.T) {
	for name, test := range map[string]struct {
		job                 kind.Job
		admitted, suspended string // reasons of what the status says
		want                bool
	}{
		"it runs":                 {kind.Job{}, "Planned", "NotSuspended", false},
		"it was never seen":       {kind.Job{Suspended: true}, "", "", false},
		"it did not exist before": {kind.Job{Suspended: true}, "JobNotFound", "NoJob", false},
		"it was submitted so":     {kind.Job{Suspended: true}, "NotPlannedYet", "SuspendedByTakt", false},
		"Takt has": {
			kind.Job{Suspended: true, Asked: resize.Ask{Epoch: 1, Suspended: true}}, "Planned", "NotSuspended", false,
		},
		"after Takt has started it": {
			kind.Job{Suspended: true, Asked: resize.Ask{Epoch: 1}}, "Planned", "NotSuspended", true,
		},
		"before any worker ran": {kind.Job{Suspended: true}, "Planned", "NotSuspended", true},
		"some time ago":         {kind.Job{Suspended: true}, "Planned", "SuspendedByUser", true},
	} {
		t.Run(name, func(t *testing.T) {
			s := &view.Subject{Job: test.job, ElasticJob: fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) {
				for kind, reason := range map[string]string{v1alpha1.ConditionAdmitted: test.admitted,
					v1alpha1.ConditionSuspended: test.suspended} {
					if reason != "" {
						meta.SetStatusCondition(&ej.Status.Conditions, metav1.Condition{
							Type: kind, Status: metav1.ConditionFalse, Reason: reason,
						})
					}
				}
			})}
			if got := s.SuspendedByUser(); got != test.want {
				t.Errorf("suspended by its user: %t, want %t", got, test.want)
			}
		})
	}
}

// Records of an ElasticJob that is gone may stay, as after kubectl delete --cascade=orphan.
func TestNoEpochIsUsedTwice(t *testing.T) {
	ej := fixture.ElasticJob("resnet")
	orphan := fixture.ResizeOf(ej, 7, 1, 2, v1alpha1.ConditionSucceeded)
	orphan.OwnerReferences = nil
	o := fixture.Stopped(t, interceptor.Funcs{}, ej, fixture.PyTorchJob("resnet", 1), orphan,
		fixture.ResizeOf(ej, 3, 1, 2, v1alpha1.ConditionSucceeded))
	s, err := o.View.Look(t.Context(), ej)
	if err != nil || s.Epoch() != 8 {
		t.Errorf("the next epoch is %d, want 8: %v", s.Epoch(), err)
	}
}

// Anybody may label the pods of his job. A number after which none is left would have each Resize refused, while others
// wait for the GPUs of the job.
func TestEpochsAreLeftWhateverALabelSays(t *testing.T) {
	for _, label := range []string{"999999999", "999999998", "2147483648", "9223372036854775807", "-9", "x"} {
		ej, job := fixture.ElasticJob("resnet"), fixture.PyTorchJob("resnet", 1)
		pod := fixture.Worker0(job, "node")
		pod.Labels[v1alpha1.EpochLabel] = label
		o := fixture.Stopped(t, interceptor.Funcs{}, ej, job, pod,
			fixture.ResizeOf(ej, 3, 1, 2, v1alpha1.ConditionSucceeded))
		if s, err := o.View.Look(t.Context(), ej); err != nil || s.Epoch() != 4 {
			t.Errorf("with %s the next epoch is %d, want 4: %v", label, s.Epoch(), err)
		}
	}
}

// Whatever epoch somebody writes into what was asked of a job, the next is one that it is not overtaken by.
func TestTheNextEpochIsAfterWhatWasAsked(t *testing.T) {
	ej := fixture.ElasticJob("resnet")
	o := fixture.Stopped(t, interceptor.Funcs{}, ej,
		fixture.PyTorchJob("resnet", 1, fixture.AskedFor(500_000_000, resize.Forward)),
		fixture.ResizeOf(ej, 3, 1, 2, v1alpha1.ConditionSucceeded))
	if s, err := o.View.Look(t.Context(), ej); err != nil || s.Epoch() != 500_000_001 {
		t.Errorf("the next epoch is %d, want 500000001: %v", s.Epoch(), err)
	}
}

// What was asked of a job goes when Takt lets go of it; its pods are still those of a resize.
func TestNoEpochIsThatOfPodsFromBefore(t *testing.T) {
	ej, job := fixture.ElasticJob("resnet"), fixture.PyTorchJob("resnet", 1)
	pod := fixture.Worker0(job, "node")
	pod.Labels[v1alpha1.EpochLabel] = "5"
	o := fixture.Stopped(t, interceptor.Funcs{}, ej, job, pod)
	s, err := o.View.Look(t.Context(), ej)
	if err != nil || s.Epoch() != 6 {
		t.Errorf("the next epoch is %d, want 6: %v", s.Epoch(), err)
	}
}

// Others give back GPUs once for a job of which nothing is known.
func TestAJobThatWasStoppedHasHadItsTrial(t *testing.T) {
	ej := fixture.ElasticJob("resnet")
	for name, test := range map[string]struct {
		past []*v1alpha1.Resize
		want bool
	}{
		"it has never run":         {nil, false},
		"it is about to":           {[]*v1alpha1.Resize{fixture.ResizeOf(ej, 1, 0, 1)}, false},
		"it runs":                  {[]*v1alpha1.Resize{fixture.ResizeOf(ej, 1, 0, 1, v1alpha1.ConditionSucceeded)}, false},
		"it could not start":       {[]*v1alpha1.Resize{fixture.ResizeOf(ej, 1, 0, 1, v1alpha1.ConditionRolledBack)}, true},
		"it was stopped":           {[]*v1alpha1.Resize{fixture.ResizeOf(ej, 2, 1, 0, v1alpha1.ConditionSucceeded)}, true},
		"it is being stopped":      {[]*v1alpha1.Resize{fixture.ResizeOf(ej, 2, 1, 0)}, false},
		"a growth was rolled back": {[]*v1alpha1.Resize{fixture.ResizeOf(ej, 2, 1, 2, v1alpha1.ConditionRolledBack)}, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := (&view.Subject{ElasticJob: ej, Past: test.past}).Tried(); got != test.want {
				t.Errorf("%t, want %t", got, test.want)
			}
		})
	}
}

// Another ElasticJob that names the same job, and that is looked at first, does not make the run its own.
func TestTheRunIsThatOfTheOlderElasticJob(t *testing.T) {
	job := fixture.PyTorchJob("resnet", 1)
	older := fixture.ElasticJob("resnet")
	newer := fixture.ElasticJob("another", func(ej *v1alpha1.ElasticJob) {
		ej.Spec.JobRef.Name, ej.CreationTimestamp.Time = "resnet", fixture.Start
	})
	run := learn.NewRun(view.RunName(older, job.UID))
	run.Team("a", time.Time{}, fixture.Start)
	older.Status.Memory = run.Keep()
	o := fixture.Stopped(t, interceptor.Funcs{}, job, older, newer)
	for _, ej := range []*v1alpha1.ElasticJob{newer, older} {
		s, err := o.View.Look(t.Context(), ej)
		if err != nil {
			t.Fatal(err)
		}
		if kept := s.Known.Run.Keep(); !strings.Contains(kept, `"run":"`+view.RunName(older, job.UID)+`"`) {
			t.Errorf("looked at by ElasticJob %s it is %s", ej.Name, kept)
		}
	}
}

// A queue may be deleted and made anew. What was promised before is promised, until the plan says otherwise.
func TestPromisesOutliveARefusal(t *testing.T) {
	due := fixture.Start.Add(time.Hour)
	for name, test := range map[string]struct {
		admitted metav1.ConditionStatus
		reason   string
		promised v1alpha1.Time
		deadline time.Time
		want     bool
	}{
		"this one":      {metav1.ConditionTrue, view.ReasonPromised, v1alpha1.NewTime(due), due, true},
		"an earlier":    {metav1.ConditionTrue, view.ReasonPromised, v1alpha1.NewTime(due), due.Add(time.Minute), true},
		"a later one":   {metav1.ConditionTrue, view.ReasonPromised, v1alpha1.NewTime(due), due.Add(-time.Minute), false},
		"no queue":      {metav1.ConditionFalse, "QueueNotFound", v1alpha1.NewTime(due), due, true},
		"no quota":      {metav1.ConditionFalse, "QuotaReached", v1alpha1.NewTime(due), due, true},
		"no such node":  {metav1.ConditionFalse, "NoNodeFits", v1alpha1.NewTime(due), due, true},
		"a queue again": {metav1.ConditionUnknown, "NotPlannedYet", v1alpha1.NewTime(due), due, true},
		"not any more":  {metav1.ConditionTrue, "Planned", v1alpha1.NewTime(due), due, false},
		"none":          {metav1.ConditionFalse, "QueueNotFound", "", due, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := &view.Subject{ElasticJob: fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) {
				ej.Status.Promised = test.promised
				meta.SetStatusCondition(&ej.Status.Conditions, metav1.Condition{
					Type: v1alpha1.ConditionAdmitted, Status: test.admitted, Reason: test.reason,
				})
			})}
			if got := s.IsPromised(test.deadline); got != test.want {
				t.Errorf("promised: %t, want %t", got, test.want)
			}
		})
	}
}
