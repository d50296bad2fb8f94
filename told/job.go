package told

import (
	"fmt"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
)

// Job is a job, and what is known of it.
type Job struct {
	*v1alpha1.ElasticJob
	Resizes []v1alpha1.Resize // the first of them first
	Now     time.Time
}

// From is a moment as it is reckoned from now.
func From(now, at time.Time) string {
	if ago := now.Sub(at); ago > 0 {
		return Span(ago) + " ago"
	}
	return "in " + Span(at.Sub(now))
}

// FromNow is a moment as it is reckoned from now; empty where there is none.
func FromNow(now time.Time, at v1alpha1.Time) string {
	moment, err := at.Time()
	if err != nil {
		return ""
	}
	return From(now, moment)
}

// Span is a time span in its two greatest units.
func Span(d time.Duration) string { return elastic.Shorten(elastic.Seconds(d.Seconds())) }

// Clock is a moment of a day, as charts show it: 15:04Z.
func Clock(t time.Time) string { return t.UTC().Format("15:04Z") }

// Workers are how many a job has, is to have where that differs, and may have.
func Workers(job *v1alpha1.ElasticJob) string {
	w := job.Status.Workers
	if w.Desired != w.Running && !job.Status.Over() {
		return fmt.Sprintf("%d→%d/%d", w.Running, w.Desired, w.Max)
	}
	return fmt.Sprintf("%d/%d", w.Running, w.Max)
}
