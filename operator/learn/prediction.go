package learn

import (
	"time"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/predictor"
)

// Prediction is when a run will be finished at the size that it has.
type Prediction struct {
	// Known says whether there is one: the job trains and was read at its present size, its work is
	// known, and how fast it is. Sufficient may be known without.
	Known bool
	// Of ten runs one would be finished before Earliest, five before ETA, and nine before Latest. A
	// moment that is further off than a century is zero.
	Earliest, ETA, Latest time.Time
	// OnTime is the probability of meeting the deadline; zero without one.
	OnTime float64
	Trust  predictor.Trust
	// Sufficient is the smallest size that meets the deadline in nine of ten runs; zero if none does,
	// or nothing is known.
	Sufficient int
}

// pessimist is the probability with which a size must be in time to suffice.
const pessimist = 0.9

// Prediction predicts the end of the run. Shapes are those that it may have; a zero deadline is none.
func (r *Run) Prediction(shapes []predictor.Shape, now, deadline time.Time) Prediction {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.tally.total == 0 {
		return Prediction{}
	}
	r.predict(shapes)
	left := r.tally.total - r.done
	var p Prediction
	// From the last reading on the job has gone on training; a size that it does not have is one
	// from now on.
	rate, running := r.presentRate()
	if running {
		p = r.finish(left, rate, now, deadline)
	}
	if deadline.IsZero() {
		return p
	}
	pause, again := r.change(left, now)
	for i, shape := range r.sizes.shapes {
		if r.sizes.rates == nil {
			break
		}
		rate, todo, from := r.sizes.rates[i], left, r.at
		took := float64(r.closing.Longest)
		if !running || shape.Workers != r.shape.Workers {
			todo, from, took = left+again, now, took+float64(pause)
		}
		took += todo / rate.Quantile(1-pessimist)
		if rate.Trust != predictor.Unknown && took <= deadline.Sub(from).Seconds() {
			p.Sufficient = int(shape.Workers)
			break
		}
	}
	return p
}

// change is what the next change of its size costs the run as it is planned: how long it stops, and what it does again
// of its work when so much is left.
func (r *Run) change(left float64, now time.Time) (pause elastic.Seconds, again float64) {
	o := r.asked.options
	o.Now = now
	job := elastic.Job{Workers: r.asked.workers, Left: elastic.Work(left)}
	r.fillLoss(&job, r.done, o)
	again = float64(job.Left) - left // what it has lost already
	if rate, running := r.presentRate(); running && job.Workers > 0 {
		again += float64(job.Rework) * rate.Low
	}
	return r.pause(o), again + float64(job.Done)
}

// finish is the prediction at one rate.
func (r *Run) finish(left float64, rate predictor.Estimate, now, deadline time.Time) Prediction {
	p := Prediction{Known: true, Trust: rate.Trust}
	took := predictor.Estimate{Trust: rate.Trust}
	if left > 0 {
		took = rate.Inverse(left)
	}
	end := func(q float64) time.Time {
		if left <= 0 {
			return now
		}
		after := took.Quantile(q)
		if after >= longest.Seconds() {
			return time.Time{}
		}
		at := r.at.Add(span(after))
		if at.Before(now) {
			return now
		}
		return at
	}
	p.Earliest, p.ETA, p.Latest = end(1-pessimist), end(0.5), end(pessimist)
	switch {
	case deadline.IsZero():
	case left <= 0 && !now.After(deadline):
		p.OnTime = 1
	case left > 0 && !now.After(deadline):
		p.OnTime = took.Below(deadline.Sub(r.at).Seconds())
	}
	return p
}

// presentRate is how fast the job is as it runs; false if it was not read since its workers changed.
func (r *Run) presentRate() (predictor.Estimate, bool) {
	if !r.present {
		return predictor.Estimate{}, false
	}
	c := &r.sizes
	if c.presentVersion != r.version || c.present != r.shape || c.presentRate.Median == 0 {
		rate, ok := r.rate(r.shape)
		if !ok {
			return predictor.Estimate{}, false
		}
		c.presentVersion, c.present, c.presentRate = r.version, r.shape, rate
	}
	return c.presentRate, true
}
