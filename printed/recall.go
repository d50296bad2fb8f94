package printed

import (
	"math"
	"time"
)

// batches are the steps of an epoch as they were counted at last, and how they have come to that.
type batches struct {
	from, to     Count // from 0 as no other count of this total before
	fromAt, toAt time.Time
}

func (b *batches) take(c Count, at time.Time) {
	if c.Total != b.to.Total || c.Done < b.from.Done || b.fromAt.IsZero() {
		b.from, b.fromAt = c, at
	}
	b.to, b.toAt = c, at
}

// since is how many epochs these steps make in the time from a moment to the last of them.
func (b *batches) since(at time.Time) float64 {
	took := b.toAt.Sub(b.fromAt)
	if took <= 0 {
		return 0
	}
	return (b.to.Done - b.from.Done) / b.to.Total * float64(b.toAt.Sub(at)) / float64(took)
}

// Recall takes how far the training was in its epochs at a moment, as was read of it before. It counts where the steps
// of an epoch are all that is left of the output: those say how much of one is over, and not which it is. It is false
// where that is not so.
func (r *Reader) Recall(was Count, at time.Time) bool {
	steps := &r.seen.batches
	if r.epochs.seen || r.steps.any || r.inAll.any || steps.to.Total <= 0 || was.Total < 1 {
		return false
	}
	over := math.Round(was.Done + steps.since(at) - steps.to.Done/steps.to.Total)
	e := &r.epochs
	e.Count = Count{min(max(over, 0), was.Total-1), was.Total}
	e.placed, e.seen, e.missed, e.total, e.batch, e.fresh = true, true, true, was.Total, steps.to, false
	r.tellEpochs(e.place(), steps.toAt)
	return r.inAll.any
}
