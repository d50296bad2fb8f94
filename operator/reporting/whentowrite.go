package reporting

import (
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/forecast"
	"github.com/takt-dev/takt/operator/wording"
)

const (
	// resizingRarer is how many times rarer figures are written while a resize is under way, of which its own
	// record tells, if not even the words have changed: most resizes are over by then.
	resizingRarer = 16
	// wordsStand is how long a message stands of which only figures are other ones by now: what is to be in six hours is
	// not so five hours later.
	wordsStand = time.Hour
)

// whenToWrite says whether a status is to be written: at once where something has happened, and every so
// often at most where only figures have moved on. Where it will be worth it later, it says when to look
// again. A job of which nothing new is heard is not written about; nor is one that stands still for ending later with
// every minute, until that changes its verdict.
func whenToWrite(old, status *v1alpha1.ElasticJobStatus, now, written time.Time, every time.Duration,
	stands bool) (time.Duration, bool) {
	if !equality.Semantic.DeepEqual(happened(old), happened(status)) {
		return 0, true
	}
	same := wording.WithoutFigures(old.Message) == wording.WithoutFigures(status.Message)
	if figures(old.Progress) == figures(status.Progress) &&
		(stands || !moved(old.Prediction, status.Prediction, now)) && same &&
		!costMoved(old.Cost, status.Cost) {
		if old.Message == status.Message || written.IsZero() {
			return 0, false
		}
		return due(written.Add(wordsStand).Sub(now))
	}
	if same && meta.IsStatusConditionTrue(status.Conditions, v1alpha1.ConditionResizing) {
		every *= resizingRarer
	}
	return due(written.Add(every).Sub(now))
}

func due(in time.Duration) (time.Duration, bool) { return max(in, 0), in <= 0 }

// figures are what has to move for a progress to be worth a write: that it was read again is not.
func figures(p v1alpha1.ProgressStatus) v1alpha1.ProgressStatus {
	p.ObservedAt = ""
	return p
}

// happened is a status without its figures, which move all the time. While a resize is under way the
// workers that run are one of them: it is the Resize that tells of them. The figures in what is said of the
// annotations of a job are people's: they move when somebody writes others.
func happened(status *v1alpha1.ElasticJobStatus) *v1alpha1.ElasticJobStatus {
	s := status.DeepCopy()
	s.Progress, s.Prediction = v1alpha1.ProgressStatus{Source: s.Progress.Source}, v1alpha1.PredictionStatus{}
	s.Message, s.Summary.Progress, s.Summary.Slack = noteOf(s.Message), "", ""
	s.Cost, s.Summary.Cost = v1alpha1.CostStatus{}, ""
	resizing := meta.IsStatusConditionTrue(s.Conditions, v1alpha1.ConditionResizing)
	if resizing {
		s.Workers.Running, s.Summary.Workers, s.Progress = 0, "", v1alpha1.ProgressStatus{}
	}
	for i := range s.Conditions {
		c := &s.Conditions[i]
		c.LastTransitionTime.Reset()
		switch {
		case resizing && (c.Type == v1alpha1.ConditionRunning || c.Type == v1alpha1.ConditionSuspended):
			*c = metav1.Condition{Type: c.Type}
		case resizing && c.Type == v1alpha1.ConditionResizing:
			c.Message, _, _ = strings.Cut(c.Message, ":") // which Resize it is; how far that has come is on its record
		case c.Type == v1alpha1.ConditionRunning:
			c.Message = wording.WithoutFigures(c.Message) // which worker cannot run, and why
		case c.Type != v1alpha1.ConditionAdmitted && c.Type != v1alpha1.ConditionResizing:
			c.Message = ""
		}
	}
	return s
}

// moved says that a job is to start, or to end, at another moment than was written.
func moved(old, status v1alpha1.PredictionStatus, now time.Time) bool {
	return momentMoved(old.ETA, status.ETA, now) || momentMoved(old.StartsAt, status.StartsAt, now)
}

func momentMoved(old, is v1alpha1.Time, now time.Time) bool {
	before, errBefore := old.Time()
	after, errAfter := is.Time()
	if errBefore != nil || errAfter != nil {
		return (errBefore == nil) != (errAfter == nil)
	}
	moved := after.Sub(before).Abs()
	return moved > 2*time.Second && moved.Seconds() > forecast.Moves*max(after.Sub(now), 0).Seconds()
}
