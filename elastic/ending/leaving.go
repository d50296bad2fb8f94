package ending

import (
	"slices"
	"time"

	"github.com/takt-dev/takt/elastic/resize"
)

// Departures are all that may have had workers of a job about to leave when it ended.
type Departures struct {
	Ended time.Time      // when it did, in whole seconds
	Size  resize.Workers // as it is declared
	// EndsByLeaver says that a worker which is told to leave, and exits with 0, ends the whole job.
	EndsByLeaver bool
	// PodsStay says that the job is done once all of its workers have exited with 0, also when it was stopped.
	PodsStay bool
	// Suspended says that it is stopped, and Asked is what Takt has asked of it last.
	Suspended bool
	Asked     resize.Ask
	// Grace is how long a worker may take to leave; 0 if that is not said.
	Grace time.Duration
	// Resizes are those of the job, the oldest first.
	Resizes []resize.Record
	// Scaled is how somebody else than Takt has last made it smaller; nil if nobody has.
	Scaled *Scaled
	// Leaver is when one of its workers was last told to leave though its size stays; zero if none was.
	Leaver time.Time
}

// Scaled is how somebody else than Takt has made a job smaller.
type Scaled struct {
	From, To resize.Workers
	At       time.Time // zero if nobody saw when
}

// Leaving is that workers of a job were about to leave.
type Leaving struct {
	Workers resize.Workers // that trained until then
	Since   time.Time      // when that began; zero if nobody knows
	Soon    bool           // the job ended so soon after it that it did by that, where nothing tells how far it was
	By      By
	To      resize.Workers // that were to stay, where somebody has set its size
}

// By is who has told workers to leave.
type By string

// Those who may.
const (
	ByTakt   By = "Takt"   // for a smaller size, or for the old one as a growth was taken back
	ByHand   By = "Hand"   // somebody else has set a smaller size, or has stopped the job
	ByWorker By = "Worker" // somebody has deleted a pod, or its node was drained
)

const (
	// shortly is how long after the end of a resize a job that told nothing may have ended by it.
	shortly = 10 * time.Minute
	// hearing is how long the controller of a job may take to hear of the size that somebody has given it, or of the end
	// of a worker.
	hearing = 30 * time.Second
	// usualGrace is how long pods may take to leave that do not say. A resize waits for longer than that.
	usualGrace = 30 * time.Second
)

// AtTheEnd is who may have been about to leave when the job ended; nil if nobody was.
func (d Departures) AtTheEnd() *Leaving {
	if r, found := d.resize(); found {
		end, ended := r.First(resize.Succeeded, resize.RolledBack, resize.Failed)
		return &Leaving{
			Workers: max(r.From, r.To), Since: r.CreatedAt, Soon: !ended || d.Ended.Sub(end.At) < shortly, By: ByTakt,
		}
	}
	if d.PodsStay && d.Suspended && (!d.Asked.Suspended || d.takenOver()) { // all leave
		return &Leaving{Workers: d.Size, Since: d.Ended, Soon: true, By: ByHand}
	}
	if s := d.Scaled; s != nil && (d.EndsByLeaver || d.PodsStay) && (s.At.IsZero() || !d.leftBefore(s.At)) {
		soon := !s.At.IsZero() && (d.EndsByLeaver || s.To == 0)
		return &Leaving{Workers: s.From, Since: s.At, Soon: soon, By: ByHand, To: s.To}
	}
	if !d.Leaver.IsZero() && !d.leftBefore(d.Leaver) {
		return &Leaving{Workers: d.Size, Since: d.Leaver, Soon: true, By: ByWorker}
	}
	return nil
}

// leftBefore says that whoever was told to leave at a moment had left before the job ended.
func (d Departures) leftBefore(told time.Time) bool {
	return d.Ended.Sub(told) > hearing+max(d.Grace, usualGrace)
}

// resize is the one for which workers were told to leave that were yet to when the job ended: it was made smaller, or
// its growth was taken back. One that is done once all have exited with 0 is so also where Takt had stopped it.
func (d Departures) resize() (resize.Record, bool) {
	for _, r := range d.Resizes {
		if d.PodsStay && d.Asked.Suspended && d.Asked.Epoch == r.Epoch && stops(r) {
			return r, true
		}
		told, leaving := d.told(r)
		if leaving && d.EndsByLeaver && !told.Truncate(time.Second).After(d.Ended) && d.mayLeaveAtTheEnd(r, told) {
			return r, true
		}
	}
	return resize.Record{}, false
}

// stops says that it may be for a resize that Takt has stopped a job. For one that was done it has started it again.
func stops(r resize.Record) bool {
	_, done := r.First(resize.Succeeded)
	return r.To == 0 || !done
}

// takenOver says that somebody else has stopped the job, and that Takt has taken it for stopped by itself since.
func (d Departures) takenOver() bool {
	return slices.ContainsFunc(d.Resizes, func(r resize.Record) bool { return r.Epoch == d.Asked.Epoch && !stops(r) })
}

// told is when workers of a running job were told to leave for a resize, if they were. What was only written down told
// nobody.
func (d Departures) told(r resize.Record) (at time.Time, told bool) {
	if r.Mode != resize.Live || r.From == 0 || r.To == 0 {
		return time.Time{}, false
	}
	written, stage := resize.Committed, resize.Forward
	if r.To > r.From {
		written, stage = resize.RollingBack, resize.Back
	}
	c, found := r.First(written)
	asked := d.Asked.Epoch == r.Epoch && (d.Asked.Stage == stage || stage == resize.Forward)
	if !found || !asked && d.Asked.Epoch <= r.Epoch {
		return time.Time{}, false
	}
	return c.At, true
}

// mayLeaveAtTheEnd says that those may have been about to leave when the job ended that were told to by then. Where the
// training was seen to go on without them, they had left before, unless they may take their time.
func (d Departures) mayLeaveAtTheEnd(r resize.Record, told time.Time) bool {
	end, ended := r.First(resize.Succeeded, resize.RolledBack, resize.Failed)
	if !ended || end.Reason == resize.PodsNotGone && d.Asked.Epoch == r.Epoch {
		return true // the latter leave once their controller hears of it
	}
	if slices.Contains([]resize.Reason{resize.JobIsFinished, resize.JobIsCutShort, resize.JobHasFailed}, end.Reason) {
		return true // it was under way when the job ended, whatever the clocks of those say who have dated that
	}
	gone := told
	if end.Reason != resize.ProgressSeen {
		gone = end.At
	}
	if last := told.Add(d.Grace); d.Grace > usualGrace && gone.Before(last) {
		gone = last
	}
	return end.Reason != resize.ProgressSeen && !gone.Before(d.Ended) || gone.After(d.Ended)
}
