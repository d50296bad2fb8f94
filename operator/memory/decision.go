package memory

import (
	"math"
	"time"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/coretime"
	"github.com/takt-dev/takt/predictor"
)

// EtaMoves is by which part of the time that is left the expected end has to move to be news.
const EtaMoves = 0.05

// Decide remembers a decision about a job that is due at some time, if ever, and says whether it tells the owner
// of the job anything new.
func (r *Job) Decide(d elastic.Outcome, due, at time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	old := r.decision
	r.decision, r.planned = &d, nil
	news := old == nil || old.Workers != d.Workers || old.Verdict != d.Verdict || old.Reason != d.Reason ||
		old.Promised != d.Promised || !r.Due.Equal(due) || moved(r.told, d.Expected, at) || moved(r.toldStart, d.Starts, at)
	r.Due, r.overdue = due, !due.IsZero() && !due.After(at)
	if news {
		r.told, r.toldStart = d.Expected, d.Starts // small moves add up until then
	}
	return news
}

// moved says that a moment is another than was told.
func moved(told, is *elastic.Seconds, at time.Time) bool {
	if told == nil || is == nil {
		return told != is
	}
	by := math.Abs(float64(*is - *told))
	return by > 1 && by > EtaMoves/2*float64(*is-coretime.Seconds(at))
}

// Undecide forgets what was decided about a job that is not planned for any more.
func (r *Job) Undecide() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.decision, r.planned = nil, nil
}

// Decided is the last decision; nil before the first.
func (r *Job) Decided() *elastic.Outcome {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.decision
}

// DecidedFor is the last decision, if it was made for this deadline: one for another says nothing of it.
func (r *Job) DecidedFor(due time.Time) *elastic.Outcome {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.Due.Equal(due) {
		return nil
	}
	return r.decision
}

// HasPromised says that the last decision was to promise this deadline, which its owner may have been told of already,
// though it is not to be read yet.
func (r *Job) HasPromised(due time.Time) bool {
	d := r.DecidedFor(due)
	return d != nil && d.Promised
}

// HasPromisedNothing says that the last decision was not to promise this deadline. One that was made after the deadline
// says nothing of that: a clock that is ahead may have made it.
func (r *Job) HasPromisedNothing(due time.Time) bool {
	d := r.DecidedFor(due)
	return d != nil && !d.Promised && !r.IsOverdue()
}

// IsOverdue says that the last decision was made after the deadline that it was made for.
func (r *Job) IsOverdue() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.overdue
}

// PlannedWith remembers the sizes that the job may have.
func (r *Job) PlannedWith(shapes []predictor.Shape, perNode int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.shapes, r.perNode = shapes, perNode
}

// Sizes are the sizes that the job may have, as last planned with, and how many of its workers a node
// has room for.
func (r *Job) Sizes() (shapes []predictor.Shape, perNode int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.shapes, max(r.perNode, 1)
}

// Halfway remembers when a job was expected to end, once half of it is done.
func (r *Job) Halfway(done float64, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if done >= 0.5 && r.predictedAt.IsZero() && r.decision != nil && r.decision.Expected != nil {
		r.predicted, r.predictedAt = coretime.Time(*r.decision.Expected), now
	}
}

// MissedBy is how far the end that was expected half way was from the end, as a part of what was left
// then; once, and only if both were seen.
func (r *Job) MissedBy(end time.Time) (float64, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	left := end.Sub(r.predictedAt).Seconds()
	if r.counted || r.predictedAt.IsZero() || left <= 0 {
		return 0, false
	}
	r.counted = true
	return math.Abs(r.predicted.Sub(end).Seconds()) / left, true
}
