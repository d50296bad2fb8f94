package learn

import (
	"time"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/predictor"
)

// Expected is how long somebody expects the whole job to take with a number of workers; zero is nobody.
type Expected struct {
	Took    time.Duration
	Workers int
}

// belief is what is believed of the job for want of anything that it has told, as last worked out.
type belief struct {
	held *predictor.Belief // nil if nothing is
	of   Expected
	runs []predictor.Whole
}

// believed is what is believed of the whole: what earlier runs took, or else what somebody expects.
func (r *Run) believed(expected Expected) *predictor.Belief {
	b, runs := &r.belief, r.heritage.others.Runs
	if b.of == expected && sameWholes(b.runs, runs) {
		return b.held
	}
	*b = belief{of: expected, runs: runs}
	if from, ok := predictor.FromRuns(runs); ok {
		b.held = from
	} else if guess, ok := predictor.Guess(predictor.Seconds(expected.Took.Seconds()),
		predictor.Workers(expected.Workers)); ok {
		b.held = guess
	}
	return b.held
}

// believe fills in a job by what is believed of it, where the job itself has not told enough; false if nothing is.
// A promise is not to be broken on a guess: it waits for what was known.
func (r *Run) believe(job *elastic.Job, o FillOptions) bool {
	b := r.believed(o.Expected)
	if b == nil || job.Promised && !b.Agree {
		return false
	}
	sizes := make([]elastic.Size, len(r.sizes.shapes))
	rates := make([]predictor.Estimate, len(r.sizes.shapes))
	for i, shape := range r.sizes.shapes {
		rate, err := b.Rate(shape)
		if err != nil || !(rate.Low >= slowest) || rate.High > 1/slowest {
			return false
		}
		sizes[i].Workers, rates[i] = elastic.Workers(shape.Workers), rate
	}
	whole, done := 1.0, r.trained(b)
	if !r.tally.refuted {
		done = max(done, min(o.DoneShare, 1))
	}
	total, known := r.total(o)
	if known { // the job tells its work, and not how fast it is
		whole, done = total, 0
	}
	left, less, more := b.Left(done)
	if known {
		left, _, _ = r.left(o)
	}
	for i, rate := range rates {
		rate = rate.Scaled(whole).Widened(more, less)
		sizes[i] = sizeOf(sizes[i].Workers, rate)
	}
	job.Left, job.Sizes, job.UnknownWork, job.Doubted = elastic.Work(left), sizes, false, !b.Agree
	switch b.Runs {
	case 0:
		job.Believed = "what its owner expects"
	default:
		job.Believed = elastic.CountOf(b.Runs, "earlier run")
	}
	return true
}

// trained is the part of the whole that the job has done by now, if what is believed of it is true.
func (r *Run) trained(b *predictor.Belief) float64 {
	done := 0.0
	for _, s := range r.attendance.most() {
		if rate, err := b.Rate(s.shape); err == nil {
			done += rate.Median * s.took.Seconds()
		}
	}
	return done
}
