package memory

import (
	"math"
	"time"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/coretime"
	"github.com/takt-dev/takt/elastic/forecast"
	"github.com/takt-dev/takt/predictor"
)

// decisions is what is remembered of what was decided for a job.
type decisions struct {
	// decision is what was last decided, for the deadline due; overdue says that this had passed by then. Until this
	// process has decided, planned is what the one before it has.
	decision, planned *elastic.Outcome
	due               time.Time
	overdue           bool
	// reckoned is how much of the job was done, at reckonedAt, as far as was known when it was last decided about.
	reckoned   float64
	reckonedAt time.Time
	// told and toldStart are the end and the start that were expected when they were last news.
	told, toldStart *elastic.Seconds
	// shapes are the sizes that the job may have, as last planned with, and perNode how many of its workers a node has
	// room for.
	shapes  []predictor.Shape
	perNode int
	// predicted is the end that was expected when half was done, at predictedAt; counted says that it was compared with
	// the end.
	predicted, predictedAt time.Time
	counted                bool
}

// Decide remembers a decision about a job that is due at some time, if ever, and says whether it tells the owner
// of the job anything new.
func (j *Job) Decide(d elastic.Outcome, due, at time.Time) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	old := j.decision
	j.decision, j.planned = &d, nil
	j.lent = j.lent && !d.Keeps
	j.reckoned, j.reckonedAt = j.found.done, j.foundAt
	news := old == nil || old.Workers != d.Workers || old.Verdict != d.Verdict || old.Reason != d.Reason ||
		old.Promised != d.Promised || d.Keeps || !j.due.Equal(due) || moved(j.told, d.ExpectedEnd, at) ||
		moved(j.toldStart, d.Starts, at)
	j.due, j.overdue = due, !due.IsZero() && !due.After(at)
	if news {
		j.told, j.toldStart = d.ExpectedEnd, d.Starts // small moves add up until then
	}
	return news
}

// moved says that a moment is another than was told.
func moved(told, is *elastic.Seconds, at time.Time) bool {
	if told == nil || is == nil {
		return told != is
	}
	by := math.Abs(float64(*is - *told))
	return by > 1 && by > forecast.Moves/2*float64(*is-coretime.Seconds(at))
}

// Undecide forgets what was decided about a job that is not planned for any more.
func (j *Job) Undecide() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.decision, j.planned = nil, nil
}

// Decided is the last decision; nil before the first.
func (j *Job) Decided() *elastic.Outcome {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.decision
}

// DecidedFor is the last decision, if it was made for this deadline: one for another says nothing of it.
func (j *Job) DecidedFor(due time.Time) *elastic.Outcome {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.due.Equal(due) {
		return nil
	}
	return j.decision
}

// HasPromised says that the last decision was to promise this deadline, which its owner may have been told of already,
// though it is not to be read yet.
func (j *Job) HasPromised(due time.Time) bool {
	d := j.DecidedFor(due)
	return d != nil && d.Promised
}

// HasPromisedNothing says that the last decision was not to promise this deadline. One that was made after the deadline
// says nothing of that: a clock that is ahead may have made it.
func (j *Job) HasPromisedNothing(due time.Time) bool {
	d := j.DecidedFor(due)
	_, overdue := j.Overdue()
	return d != nil && !d.Promised && !overdue
}

// Overdue says whether the last decision was made after the deadline that it was made for, and which that is.
func (j *Job) Overdue() (due time.Time, overdue bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.due, j.overdue
}

// PlannedWith remembers the sizes that the job may have.
func (j *Job) PlannedWith(shapes []predictor.Shape, perNode int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.shapes, j.perNode = shapes, perNode
}

// Sizes are the sizes that the job may have, as last planned with, and how many of its workers a node
// has room for.
func (j *Job) Sizes() (shapes []predictor.Shape, perNode int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.shapes, max(j.perNode, 1)
}

// Halfway remembers when a job was expected to end, once half of it is done.
func (j *Job) Halfway(done float64, now time.Time) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if done >= 0.5 && j.predictedAt.IsZero() && j.decision != nil && j.decision.ExpectedEnd != nil {
		j.predicted, j.predictedAt = coretime.Time(*j.decision.ExpectedEnd), now
	}
}

// MissedBy is how far the end that was expected half way was from the end, as a part of what was left
// then; once, and only if both were seen.
func (j *Job) MissedBy(end time.Time) (float64, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	left := end.Sub(j.predictedAt).Seconds()
	if j.counted || j.predictedAt.IsZero() || left <= 0 {
		return 0, false
	}
	j.counted = true
	return math.Abs(j.predicted.Sub(end).Seconds()) / left, true
}
