package resizing

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/wording"
	"github.com/takt-dev/takt/operator/writing"
)

// Ended learns from a Resize that has just ended, tells of it, and makes room for the next.
func (z *Resizer) Ended(ctx context.Context, s *view.Subject, r *v1alpha1.Resize) {
	end := r.Ending()
	if end == nil {
		return
	}
	took := max(0, end.LastTransitionTime.Sub(r.CreationTimestamp.Time)) // clocks differ
	cost := costOf(r, end)
	if s.Known != nil && end.Type == v1alpha1.ConditionSucceeded {
		s.Known.Run.Restarted(restartKind(r), cost)
	}
	z.Metrics.Resized(r, took, cost, z.gpusEach(s))
	kind := corev1.EventTypeNormal
	if end.Type != v1alpha1.ConditionSucceeded {
		kind = corev1.EventTypeWarning
	}
	z.Events.Tell(s.ElasticJob, kind, "Resize"+end.Type, "Resize %s: %s", r.Name,
		wording.Sentences(changed(r, end), end.Message, costs(cost, end)))
	if r.Spec.From > 0 && restartKind(r) != v1alpha1.RestartLive && s.Object != nil { // all its pods were seen to go
		z.Events.Tell(s.Object, kind, "Resize"+end.Type, "Resize %s of Takt: %s", r.Name,
			wording.Sentences(changed(r, end), r.Spec.Message, costs(cost, end)))
	}
	z.prune(ctx, s, r)
	z.Replan()
}

// gpusEach is how many GPUs each worker of a job has.
func (z *Resizer) gpusEach(s *view.Subject) int {
	if s.Job.Worker == nil {
		return 0
	}
	return int(s.GPUsPerWorker(z.GPUs))
}

// costOf is what a Resize that has ended says that it has cost.
func costOf(r *v1alpha1.Resize, end *metav1.Condition) resize.Cost {
	cost := resize.Cost{Measured: end.Reason == string(resize.ProgressSeen) && r.Status.Cost.Pause != ""}
	cost.Pause, _ = r.Status.Cost.Pause.Duration() // absent is none
	cost.Lost, _ = r.Status.Cost.Lost.Duration()
	return cost
}

// costs is the same in words. A job that failed before it was seen to go on does nothing once more.
func costs(c resize.Cost, end *metav1.Condition) string {
	failed := end.Reason == string(resize.JobHasFailed) || end.Reason == string(resize.JobIsCutShort)
	switch {
	case c.Lost > 0 && c.Pause == 0 && failed:
		return fmt.Sprintf("The work of %s is lost.", asInColumn(c.Lost))
	case c.Lost > 0 && c.Pause > 0:
		return fmt.Sprintf("The training paused for %s, and does the work of %s once more.", asInColumn(c.Pause),
			asInColumn(c.Lost))
	case c.Lost > 0:
		return fmt.Sprintf("The training does the work of %s once more.", asInColumn(c.Lost))
	case c.Pause > 0:
		return fmt.Sprintf("The training paused for %s.", asInColumn(c.Pause))
	}
	return ""
}

// asInColumn is a cost as PAUSE and LOST show it, where these have tenths of a second: words do not say less.
func asInColumn(d time.Duration) string {
	if d = readable(d); d < 10*time.Second {
		return d.String()
	}
	return wording.Span(d)
}

// changed says what a Resize that has ended has changed, or was to.
func changed(r *v1alpha1.Resize, end *metav1.Condition) string {
	came := end.Type == v1alpha1.ConditionSucceeded && end.Reason != string(resize.JobIsFinished)
	switch to := elastic.Count(elastic.Workers(r.Spec.To)); {
	case !came && r.Spec.From == 0:
		return fmt.Sprintf("the job was to start with %s.", to)
	case !came && r.Spec.To == 0:
		return "the job was to stop."
	case !came:
		return fmt.Sprintf("the job was to have %s instead of %d.", to, r.Spec.From)
	case r.Spec.From == 0:
		return fmt.Sprintf("the job has started with %s.", elastic.Count(elastic.Workers(reached(r))))
	case r.Spec.To == 0:
		return "the job has stopped."
	default:
		return fmt.Sprintf("the job has %s now, and had %d.", elastic.Count(elastic.Workers(reached(r))), r.Spec.From)
	}
}

// reached is the size that a Resize has led to: it may have settled for less than was decided.
func reached(r *v1alpha1.Resize) int32 {
	if r.Status.Asked != nil {
		return *r.Status.Asked
	}
	return r.Spec.To
}

func restartKind(r *v1alpha1.Resize) v1alpha1.RestartKind {
	switch {
	case r.Spec.From == 0 || r.Spec.To == 0:
		return v1alpha1.RestartStart
	case r.Spec.Mode == v1alpha1.ResizeCold:
		return v1alpha1.RestartCold
	default:
		return v1alpha1.RestartLive
	}
}

// prune removes the oldest records of a job beyond those that are kept. Where that fails the next
// Resize that ends tries again. The one that has just ended is under way still as it was read.
func (z *Resizer) prune(ctx context.Context, s *view.Subject, ended *v1alpha1.Resize) {
	past := 1
	for _, r := range s.Past {
		if r.Over() && r.UID != ended.UID {
			past++
		}
	}
	for _, r := range s.Past {
		if past <= z.Settings.Resizes.Keep {
			return
		}
		if !r.Over() || r.UID == ended.UID || view.NamedBy(s.Job.Worker, r) {
			continue
		}
		past--
		if err := writing.Remove(ctx, z.Client, r); err != nil {
			log.FromContext(ctx).Error(err, "Cannot remove the record of an old resize", "resize", r.Name)
			return
		}
		s.Known.Remove(r)
	}
}
