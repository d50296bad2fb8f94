package view

import (
	"context"
	"fmt"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/shorthand"
)

// Predecessor is a job that has not succeeded yet, and has to before another starts.
type Predecessor struct {
	Name string
	// Reason is why it will not succeed by itself, and Sentence says so, with what to do; empty if it may.
	Reason, Sentence string
	// Note says what is special about one that may succeed; empty if nothing is.
	Note string
}

// Reasons of conditions for which a job is not started that waits for another.
const (
	reasonPredecessorMissing = "PredecessorMissing"
	reasonPredecessorFailed  = "PredecessorFailed"
	reasonPredecessorStopped = "PredecessorSuspended"
)

// HasBegun says that a job has had workers, or is about to. It is not stopped, nor kept from going on, for others that
// it is said to start after.
func (s *Subject) HasBegun() bool {
	if s.Size() > 0 || len(s.Pods) > 0 || s.Active() != nil || s.ElasticJob.Status.Progress.PartsPerMillion > 0 {
		return true
	}
	for _, r := range s.Past {
		if end := r.Ending(); r.Spec.From > 0 || end != nil && end.Type == v1alpha1.ConditionSucceeded && r.Spec.To > 0 {
			return true
		}
	}
	return false
}

// Awaits are those that keep a job from starting.
func (s *Subject) Awaits() []Predecessor {
	if s.HasBegun() {
		return nil
	}
	return s.After
}

// Blocked is the first that keeps a job from starting and will not succeed by itself; nil if there is none.
func (s *Subject) Blocked() *Predecessor {
	for i, p := range s.Awaits() {
		if p.Reason != "" {
			return &s.After[i]
		}
	}
	return nil
}

// NewlySucceeded says that the status does not tell yet who was seen to succeed.
func (s *Subject) NewlySucceeded() bool {
	return s.Object != nil && !slices.Equal(s.Succeeded, s.ElasticJob.Status.After)
}

// lookAtPredecessors finds which of those have succeeded that a job starts after. Who was seen to succeed once counts,
// whatever has become of it since.
func (v *Viewer) lookAtPredecessors(ctx context.Context, s *Subject) error {
	s.Known.KeepSucceeded(func(name string) bool {
		return slices.Contains(s.ElasticJob.Spec.After, v1alpha1.Predecessor{Name: name})
	})
	for _, after := range s.ElasticJob.Spec.After {
		if at, ok := s.succeeded(after.Name); ok {
			s.Succeeded = append(s.Succeeded, v1alpha1.PredecessorStatus{Name: after.Name, SucceededAt: at})
			continue
		}
		at, is, err := v.lookAtPredecessor(ctx, s, after.Name)
		if err != nil {
			return err
		}
		if at == nil {
			s.After = append(s.After, is)
			continue
		}
		said := v1alpha1.NewTime(*at)
		s.Known.SawSucceed(after.Name, string(said))
		s.Succeeded = append(s.Succeeded, v1alpha1.PredecessorStatus{Name: after.Name, SucceededAt: said})
	}
	return nil
}

// succeeded says that one was seen to succeed before, by this process or by one before it.
func (s *Subject) succeeded(name string) (v1alpha1.Time, bool) {
	for _, was := range s.ElasticJob.Status.After {
		if was.Name == name {
			return was.SucceededAt, true
		}
	}
	at, ok := s.Known.SeenToSucceed(name)
	return v1alpha1.Time(at), ok
}

// lookAtPredecessor is when one has succeeded; or how it stands.
func (v *Viewer) lookAtPredecessor(ctx context.Context, s *Subject, name string) (*time.Time, Predecessor, error) {
	is := Predecessor{Name: name}
	var ej v1alpha1.ElasticJob
	err := v.Client.Get(ctx, types.NamespacedName{Namespace: s.ElasticJob.Namespace, Name: name}, &ej)
	if err != nil && !apierrors.IsNotFound(err) {
		return nil, is, fmt.Errorf("looking at ElasticJob %s: %w", name, err)
	}
	gone := err != nil || ej.DeletionTimestamp != nil
	if err == nil {
		replaced, jobGone, err := v.jobReplaced(ctx, &ej)
		if err != nil {
			return nil, is, err
		}
		switch done := meta.FindStatusCondition(ej.Status.Conditions, v1alpha1.ConditionSucceeded); {
		case replaced:
			gone = true
		case done == nil || done.Status != "True":
		case gone || jobGone:
			// It may be of a round before, and about to go: only what has happened since this one was made is of this round.
			if at := done.LastTransitionTime.Time; !at.Before(s.ElasticJob.CreationTimestamp.Time) {
				return &at, is, nil
			}
			gone = true
		default:
			at := done.LastTransitionTime.Time
			return &at, is, nil
		}
	}
	switch {
	case gone:
		is.Reason, is.Sentence = reasonPredecessorMissing,
			fmt.Sprintf("It waits for %s to succeed, and there is no ElasticJob of that name in "+
				"namespace %s: submit that job; or, if it has succeeded before, take its name out of %s.", name,
				s.ElasticJob.Namespace, namesAfter(s))
	case meta.IsStatusConditionTrue(ej.Status.Conditions, v1alpha1.ConditionFailed):
		is.Reason, is.Sentence = reasonPredecessorFailed,
			fmt.Sprintf("It waits for %s to succeed, and that has failed: delete that job and submit "+
				"it anew, or take its name out of %s.", name, namesAfter(s))
	case ej.Status.SuspendedByUser():
		is.Reason, is.Sentence = reasonPredecessorStopped,
			fmt.Sprintf("It waits for %s to succeed, and somebody has suspended that: resume it, "+
				"or take its name out of %s.", name, namesAfter(s))
	case ej.Status.Verdict == v1alpha1.VerdictLeftAlone:
		is.Note = fmt.Sprintf("Takt leaves %s alone, so nobody can tell when that ends.", name)
	}
	return nil, is, nil
}

// jobReplaced says that an ElasticJob is that of an earlier job than the one of its name, or that there is no job.
func (v *Viewer) jobReplaced(ctx context.Context, ej *v1alpha1.ElasticJob) (replaced, gone bool, err error) {
	of, ok := v.Kinds.Get(ej.Spec.JobRef.Kind)
	if !ok {
		return false, false, nil
	}
	job := of.New()
	err = v.Client.Get(ctx, types.NamespacedName{Namespace: ej.Namespace, Name: ej.Spec.JobRef.Name}, job)
	switch {
	case apierrors.IsNotFound(err):
		return false, true, nil
	case err != nil:
		return false, false, fmt.Errorf("looking at %s: %w", ej.Spec.JobRef.String(), err)
	}
	return OfEarlierJob(ej, job.GetUID()), false, nil
}

// namesAfter says where those are named that a job starts after.
func namesAfter(s *Subject) string {
	if s.Job.Annotations[shorthand.AfterAnnotation] != "" {
		return fmt.Sprintf("the annotation %s of %s", shorthand.AfterAnnotation, s.ElasticJob.Spec.JobRef.String())
	}
	return "spec.after of this ElasticJob"
}
