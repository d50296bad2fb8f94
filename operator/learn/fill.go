package learn

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/predictor"
)

// FillOptions are what a job is filled in with that its readings do not tell.
type FillOptions struct {
	Now time.Time
	// StaleAfter is how old a reading may be.
	StaleAfter time.Duration
	// AssumedPause is what a restart is taken to cost while none is known of.
	AssumedPause time.Duration
	// Began is when the workers that train now began, as far as is known, and SavedAt when the job was last seen to
	// have saved its state by a process before this one.
	Began, SavedAt time.Time
	// Kind is what the next resize of the job is going to be. Without it, what is known of live and
	// cold ones counts.
	Kind v1alpha1.RestartKind
	// Total is what the job counts up to, as far as is known without a reading, in Unit, if that is
	// known, and DoneShare how much of it was done when that was last known. None is looked at after
	// the first reading.
	Total     float64
	Unit      string
	DoneShare float64
	// Expected is how long somebody expects the whole job to take.
	Expected Expected
}

// asked is how many workers a job had that was filled in, and with what.
type asked struct {
	workers elastic.Workers
	options FillOptions
}

// slowest is the least speed that the planner takes, and the greatest is as far from one.
const slowest = 1e-18

// giveUp is how many times as long as a reading takes to become stale no source may answer before the
// work of the job counts as unknown.
const giveUp = 2

// sizes are the predictions for a list of shapes, made anew only when the model has changed.
type sizes struct {
	version uint64
	running predictor.Shape // that was read since its workers changed
	asked   []predictor.Shape
	shapes  []predictor.Shape    // ascending, each number of workers once
	rates   []predictor.Estimate // one for each; none if nothing is known
	sizes   []elastic.Size

	hindsight        float64
	hindsightVersion uint64

	presentVersion uint64
	present        predictor.Shape
	presentRate    predictor.Estimate // its Median is 0 if nothing is known
}

// Fill fills in what is known of the work, the speeds and the costs of a job that may have these
// shapes, one for each size.
func (r *Run) Fill(job *elastic.Job, shapes []predictor.Shape, o FillOptions) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked = asked{job.Workers, o}
	r.predict(shapes)
	job.Sizes = slices.Clone(r.sizes.sizes)
	left, done, known := r.left(o)
	unseen := time.Duration(0)
	if job.Workers > 0 {
		var more float64
		more, unseen = r.unreported(o.Now)
		left = max(left-more, almostDone*left)
	}
	job.Left, job.UnknownWork = elastic.Work(left), r.unknowable(o)
	job.Trained, job.AdvancedAt = elastic.Seconds(r.attendance.whole().Seconds()), Moment(o.past(r.movedAt))
	job.FirstSize = job.Workers > 0 && r.attendance.only(predictor.Workers(job.Workers))
	job.Believed, job.Doubted = "", false
	r.closing = elastic.Closing{}
	if known && r.sizes.rates != nil {
		// It is known by what was measured.
		r.closing = r.closes(o.AssumedPause/endsQuicker, o.Now)
		r.closing.Longest = min(r.closing.Longest+elastic.Seconds(unseen.Seconds()), elastic.Seconds(longest.Seconds()))
	} else if !r.believe(job, o) && !known && !job.UnknownWork {
		// It has to be read first: until then it is a job that nothing is known of.
		for i := range job.Sizes {
			job.Sizes[i] = elastic.Size{Workers: job.Sizes[i].Workers}
		}
	}
	job.Closing, job.Hindsight, job.Overruns = r.closing, r.hindsight(left), 0
	if r.overruns(o.Now) {
		job.Overruns = elastic.Seconds(o.Now.Sub(r.movedAt).Seconds())
	}
	job.Pause = r.pause(o)
	if began := r.stretch.goesOnFrom(); job.Workers > 0 && !began.IsZero() && !began.After(o.Now) {
		job.BusyUntil = Moment(began)
	}
	r.fillLoss(job, done, o)
}

// pause is how long the next change of its size stops the job. While no start of it was seen, it takes no less than the
// changes that were: to be stopped would else make a job be in time that is not, and so would a restart.
func (r *Run) pause(o FillOptions) elastic.Seconds {
	at := func(e predictor.Estimate) elastic.Seconds { return elastic.Seconds(min(e.High, longest.Seconds())) }
	if seen := r.heritage.prices[o.Kind].pause; seen.Trust != predictor.Unknown {
		return at(seen)
	}
	pause := elastic.Seconds(o.AssumedPause.Seconds())
	if seen := r.heritage.prices[anyResize].pause; seen.Trust != predictor.Unknown && o.Kind != v1alpha1.RestartLive {
		pause = max(pause, at(seen))
	}
	return pause
}

// fillLoss fills in what a restart would lose: the work since the last checkpoint that was seen, unless restarts were
// seen to lose less. While there was neither, it would lose all that is done. One that starts has lost that already, as
// long as it was not seen to go on from there.
func (r *Run) fillLoss(job *elastic.Job, done float64, o FillOptions) {
	saved := o.past(latestOf(r.saves.at, o.SavedAt))
	lost := r.heritage.prices[o.Kind].lost
	if o.Kind == v1alpha1.RestartStart || lost.Trust == predictor.Unknown {
		lost = r.heritage.prices[anyResize].lost
	}
	vanishes := r.saves.vanish && o.Kind != v1alpha1.RestartLive
	if vanishes {
		saved, lost = time.Time{}, predictor.Estimate{}
	}
	if began := o.past(latestOf(r.stretch.from, r.stretch.trains(r.stretch.count))); job.Workers > 0 && !saved.IsZero() {
		saved = latestOf(saved, began) // what was trained before is done, or lost already
	}
	starts := job.Workers > 0 && o.Kind == v1alpha1.RestartStart && !r.movedAt.After(r.stretch.changedAt)
	trained, went := o.Now, r.stretch.changedAt // until when
	if starts {
		went = r.stretch.stoppedAt
	}
	stopped := job.Workers == 0 || starts
	if stopped && went.After(saved) {
		trained = o.past(went)
	}
	job.Rework, job.Unsaved, job.Done = 0, false, 0
	switch usual := max(lost.High, r.saves.typical.Seconds()); {
	case lost.Trust != predictor.Unknown:
		job.Rework = elastic.Seconds(usual)
	case !saved.IsZero():
		job.Rework = elastic.Seconds(min(max(usual, trained.Sub(saved).Seconds()), longest.Seconds()))
	case stopped: // it is lost already
		job.Unsaved = true
		if job.Left > 0 {
			job.Left += elastic.Work(done)
		}
	default:
		job.Unsaved, job.Done = true, elastic.Work(done)
	}
	if saved.IsZero() {
		saved = o.Began
		if !r.stretch.found || saved.IsZero() {
			saved = latestOf(saved, r.stretch.changedAt)
		}
		saved = o.past(saved)
	}
	job.SavedAt, job.SavesAt = Moment(saved), 0
	if expected := r.saves.expected(); !vanishes && expected.After(o.Now) && expected.Sub(o.Now) < longest {
		job.SavesAt = Moment(expected)
	}
}

// past is a moment that somebody has told, which is not yet to come.
func (o FillOptions) past(at time.Time) time.Time {
	if at.After(o.Now) {
		return o.Now
	}
	return at
}

func latestOf(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// almostDone is the part of what was left at the last advance that is left for sure, as nobody has told yet that it is
// done.
const almostDone = 0.01

// unreported is what the job is taken to have done since its counter has last advanced: at most what it does from one
// advance to the next, and while nobody could read it. What reports rarely would else end later with every minute.
// Unseen is how long of that it may have stood still, as nobody has looked.
func (r *Run) unreported(now time.Time) (done float64, unseen time.Duration) {
	rate, running := r.presentRate()
	if !running || r.state.health.Doubtful() || !r.movedAt.After(r.stretch.changedAt) {
		return 0, 0
	}
	since, usual := now.Sub(r.movedAt), r.stretch.usual()
	trains := max(0, min(since, usual))
	// Who answers, and tells nothing, was looked at: it may evaluate, or write of other things.
	if !r.failure.since.IsZero() && !errors.Is(r.failure.err, progress.ErrNone) {
		unseen = max(0, min(now.Sub(r.failure.since), since-trains))
	}
	return rate.Median * (trains + unseen).Seconds(), unseen
}

// left is the work that is left, if that is known, and what is done.
func (r *Run) left(o FillOptions) (left, done float64, known bool) {
	total, known := r.total(o)
	if r.tally.unit != "" {
		return max(total-r.done, 0), max(r.done, 0), known
	}
	share := max(0, min(o.DoneShare, 1))
	return total * (1 - share), total * share, known
}

// total is all the work, if that is known.
func (r *Run) total(o FillOptions) (float64, bool) {
	if r.tally.unit != "" {
		return r.tally.total, r.tally.total > 0
	}
	total := o.Total
	if o.Unit != "" && r.heritage.unit != "" && o.Unit != r.heritage.unit {
		total = 0 // the speeds that are known count something else
	}
	if total == 0 && r.heritage.unit == progress.Share {
		total = 1
	}
	if !(total > 0 && total <= mostWork) {
		return 0, false
	}
	return total, true
}

// unknowable says that nobody can tell how much work there is: the job was read and does not say, or
// cannot be read.
func (r *Run) unknowable(o FillOptions) bool {
	if r.tally.unit != "" {
		return r.tally.total == 0
	}
	return r.givenUp(o.StaleAfter)
}

// givenUp says that it was never read, and that this fails for so long that nobody waits for it.
func (r *Run) givenUp(staleAfter time.Duration) bool {
	return r.tally.unit == "" && r.failing() >= giveUp*staleAfter && !r.failure.since.IsZero()
}

// predict brings the predictions up to date.
func (r *Run) predict(shapes []predictor.Shape) {
	c := &r.sizes
	running := predictor.Shape{}
	if r.present {
		running = r.shape
	}
	if c.version == r.version && c.running == running && c.sizes != nil && slices.Equal(c.asked, shapes) {
		return
	}
	c.version, c.running, c.asked, c.rates = r.version, running, slices.Clone(shapes), nil
	c.shapes = make([]predictor.Shape, len(shapes))
	for i, shape := range shapes {
		c.shapes[i] = plain(shape)
	}
	slices.SortStableFunc(c.shapes, func(a, b predictor.Shape) int { return cmp.Compare(a.Workers, b.Workers) })
	c.shapes = slices.CompactFunc(c.shapes, func(a, b predictor.Shape) bool { return a.Workers == b.Workers })
	c.sizes = make([]elastic.Size, len(c.shapes))
	for i, shape := range c.shapes {
		c.sizes[i].Workers = elastic.Workers(shape.Workers)
	}
	rates := make([]predictor.Estimate, len(c.shapes))
	for i, shape := range c.shapes {
		rate, ok := r.rate(shape)
		if !ok {
			return // what is known of some sizes is known of all, or the model has no fit
		}
		rates[i] = r.noBetterThanPresent(shape, rate)
	}
	c.rates = rates
	for i, rate := range rates {
		c.sizes[i] = r.sizeIn(c.shapes[i], rate)
	}
}

// sizeIn is a shape as the planner takes it.
func (r *Run) sizeIn(shape predictor.Shape, rate predictor.Estimate) elastic.Size {
	size := sizeOf(elastic.Workers(shape.Workers), rate)
	size.Untried = elastic.Speed(r.untried(shape, rate))
	return size
}

// sizeOf is a size as the planner takes it. What nobody can tell promises nothing.
func sizeOf(workers elastic.Workers, rate predictor.Estimate) elastic.Size {
	size := elastic.Size{Workers: workers, Expected: elastic.Speed(rate.Median), Best: elastic.Speed(rate.High)}
	if rate.Trust != predictor.Unknown {
		size.Speed = elastic.Speed(rate.Low)
	}
	return size
}

// untried is how fast a shape across nodes may well be while nothing was measured across nodes: what the network
// between them costs a job is next to unknown, and it may be nothing. Else a job that loses a little with each
// worker on one node would never be tried on two. It is 0 where something was.
func (r *Run) untried(shape predictor.Shape, rate predictor.Estimate) float64 {
	if shape.Nodes == 1 || rate.Trust == predictor.Unknown || r.model.Spanned() {
		return 0
	}
	shape.Nodes = 1
	near, ok := r.rate(shape)
	if !ok {
		return 0
	}
	return min(near.Median, rate.High)
}

// rate is the prediction for one shape.
func (r *Run) rate(shape predictor.Shape) (predictor.Estimate, bool) {
	rate, err := r.model.Rate(shape)
	if err == nil {
		rate = r.widen(shape, rate)
	}
	sane := err == nil && rate.Low >= slowest && rate.Low <= rate.Median && rate.Median <= rate.High &&
		rate.High <= 1/slowest
	return rate, sane
}
