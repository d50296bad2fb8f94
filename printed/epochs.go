package printed

import (
	"math"
	"slices"
)

// mostEpochs is up to which number one that is given without a unit may be one of epochs. Above it, it is one of steps.
const mostEpochs = 1000

// epochs is where a training is in its epochs. The zero value knows of none.
type epochs struct {
	Count        // those that are over, of all; a total of 0 if that is not known
	placed  bool // the epoch is known
	seen    bool // epochs are counted at all
	last    float64
	total   float64 // as the output has last said
	ways    ways
	loop    bool    // a bar counts them, and nothing else is needed to know the epoch
	resumed bool    // the output says that the training has gone on from a checkpoint
	anew    bool    // and nothing was counted since
	missed  bool    // output was missed since an epoch was named
	loaded  float64 // the epoch of the checkpoint that was loaded

	over    bool   // the epoch that was named at last is over, as was told
	closing bool   // each epoch is named when it is over
	midway  bool   // an epoch went on that was told to be over: such lines come in the middle of it
	ahead   totals // of what was counted when the first epoch was named
	toLast  bool   // the number behind the slash is that of the last epoch
	own     int    // how often a count of steps has named its epoch itself

	said   Count // of what all epochs are gone through for, such as folds, as was said at last,
	before Count // when the epochs began,
	outer  Count // and as it is believed
	pass0  bool  // the first of these is 0, as was seen
	sweeps bool  // these are the trainings of a sweep, each with its number,
	overs  bool  // which is that of those that are over
	inTurn bool  // one training goes through all of these
	isPart bool  // all epochs were over, and began anew, and nothing says how often they will
	parts  bool  // then there were more of them, or less
	unsaid bool  // a pass was named, and not how many there are

	loopsAnew bool // what was taken for a loop of epochs was complete, and began anew

	batch  Count   // the last that was seen of the epoch
	early  bool    // the first count of the epoch was in its first half, as that of the next will be
	opened float64 // up to what the first count of the epoch went,
	usual  float64 // and that of two epochs in a row
	fresh  bool    // none was seen since the epoch was named
	goesOn bool    // the steps may go on from one epoch to the next, as those of the whole do
	spans  float64 // steps up to this total were seen to do so
	// unnamed says that the count of the epoch was complete and begins anew, and that nothing was named since: it is of
	// the next epoch, or of a test of as many steps.
	unnamed  bool
	back     bool    // one was named behind a later one, as several processes do: then nothing shows that they go on
	drawn    Count   // that was drawn when an epoch was named, and may count all of them
	stride   float64 // the most by which the count has gone on at once
	inner    int     // how many epochs of something else were named since one of the training was seen
	innerWay uint64  // in which the last of them was
	other    int     // how many counts of something else were passed over in the epoch
}

// loopIsOver says of an epoch in the first half of a loop of epochs that this is complete.
func (e *epochs) loopIsOver(next *Count) bool {
	return e.loop && e.Total > 1 && e.Done == e.Total && next.Done <= e.Total/2
}

// name takes an epoch that was named, and says whether it was before.
func (e *epochs) name(s *seen, given Given, planned Work) (again bool) {
	c := *s.epoch
	bare := c.Total == 0
	if e.loop && bare && s.bar {
		return true
	}
	first := !e.seen
	e.seen, e.loop, e.unnamed, e.inner = true, e.loop || s.loop, false, 0
	if !s.loop {
		e.ways.meet(s.way, c.Done, e)
	}
	way := e.ways.now()
	// One less than are planned is the number of the last one, where the first is 0.
	isLast := firstOf(given.Epochs, planned.Epochs) == c.Total+1
	if !s.loop {
		way.fromZero = way.fromZero || c.Total > 0 && isLast && !way.fromOne && !s.has(fromOne)
		e.base(s, c, first)
	}
	if c.Total > 0 {
		last := e.toLast || c.Done == c.Total || isLast
		if s.has(toLast) || !s.loop && last && way.fromZero && !s.has(fromZero) {
			c.Total++ // it is the number of the last one
		}
		e.total = max(c.Total, e.totalAs(c.Total))
	}
	named := c.Done
	beyond := c.Done > 0 && c.Done == e.whole(c.Total, given, planned) // if they are counted from 0
	if beyond && (s.has(fromZero) || s.bar && bare && !way.fromZero) && !s.has(toLast) && !s.loop && !way.zero {
		way.fromZero, way.fromOne = false, true // though others that print like this count from 0
	}
	if !s.has(partly) && !e.countsFromZero(s) {
		c.Done-- // the epoch that is named has only begun
	}
	c.Total = e.whole(c.Total, given, planned)
	if given.Total > 0 && c.Total != given.Total || c.Total > 0 && c.Done >= c.Total && !s.loop {
		// A number of steps of the whole, or an epoch that cannot be.
		e.Count, e.placed, e.last = Count{}, false, named
		return false
	}
	again = e.placed && max(c.Done, 0) == e.Done && !e.anew
	pass := e.outer.Done
	e.comparePasses(c, planned, first, again)
	again = again && e.outer.Done >= pass
	e.over = e.over && again
	if !again {
		e.early = e.early && e.placed && !e.missed && c.Done == e.Done+1
		e.back = e.back || e.placed && c.Done < e.Done
		e.goesOn = e.placed && !e.missed && !e.back && c.Done > e.Done && e.maySpan(c)
		e.fresh, e.other, e.stride = true, 0, 0
	}
	e.Count, e.placed, e.last, e.missed = Count{max(c.Done, 0), c.Total}, true, named, false
	return again
}

// ruled takes that a rule stands below the line that has named the epoch, as in a tutorial of PyTorch that many have
// begun from: that counts from 0 to the number of the last epoch.
func (e *epochs) ruled() {
	if e.known() && e.last == 0 && !e.toLast {
		e.toLast, e.Total = true, e.Total+1
		e.total = e.Total
	}
}

// goOn learns of the next count of steps whether it is that of a bar which was drawn before the epoch was named, and
// was not begun anew since: then it counts all epochs.
func (e *epochs) goOn(c Count) {
	if c.Total == 0 || c.Total != e.drawn.Total || c == e.drawn && c.Done < c.Total {
		return // it may be drawn again where it stands
	}
	if c.Done > e.drawn.Done {
		e.spans = c.Total
	}
	e.drawn = Count{}
}

// fits says whether a count of steps is where one of all epochs is that are over, as this one may be that was named.
func (e *epochs) fits(c Count, over bool) bool {
	const about = 0.001
	done := e.Done
	if over {
		done++
	}
	return e.known() && done > 0 && c.Total > e.Total && math.Abs(c.Done/c.Total-done/e.Total) <= about
}

// complete says whether the count of this epoch is at its end.
func (e *epochs) complete() bool { return e.batch.Total > 0 && e.batch.Done+e.stride >= e.batch.Total }

// maySpan says whether the last count of steps may be one of the whole: when an epoch ends, its share is that of the
// epochs that are over.
func (e *epochs) maySpan(over Count) bool {
	const about = 0.05
	if e.batch.Total == 0 || e.batch.Done == e.batch.Total {
		return false
	}
	if over.Total == 0 { // then it is known once it goes on
		return e.stride > 0 && !e.complete()
	}
	apart := e.batch.Done/e.batch.Total - over.Done/over.Total
	return apart <= about && apart >= -about
}

// known says whether the epoch is known, and how many there are.
func (e *epochs) known() bool { return e.placed && e.Total > 0 }

// place is where the training is in its epochs, with the part of this one that is done.
func (e *epochs) place() Count {
	if !e.placed || e.fresh || e.batch.Total == 0 {
		return e.Count
	}
	return e.with(e.batch)
}

// with is how many epochs are over with so much of this one.
func (e *epochs) with(batch Count) Count {
	done := e.Done + batch.Done/batch.Total
	if e.Total > 0 {
		done = min(done, e.Total)
	}
	return Count{done, e.Total}
}

// totalAs keeps a total that was found to be one more than is printed.
func (e *epochs) totalAs(printed float64) float64 {
	if e.total == printed+1 {
		return e.total
	}
	return 0
}

// base learns whether the first epoch is 0 or 1.
func (e *epochs) base(s *seen, c Count, first bool) {
	switch way := e.ways.now(); {
	case c.Done == 0:
		way.fromZero, way.fromOne, way.zero = true, false, way.zero || s.has(fromOne)
	case first && c.Done == 1 && !e.missed && !e.resumed && !s.has(toLast) && !s.loop && s.has(fromZero):
		way.fromOne = true // though others that print like this count from 0
	case s.has(fromZero):
		way.fromZero = !way.fromOne
	case first && c.Done == e.loaded && !s.has(fromOne): // it is the first that is not over, and so many are
		way.fromZero = !way.fromOne
	case s.has(fromOne), first && c.Done == 1 && !e.missed, c.Total > 0 && c.Done == c.Total && !way.fromZero:
		way.fromOne = !way.fromZero
	}
}

// compare learns whether the first epoch is 0 or 1, where nothing has told it yet, from how many steps of the whole
// were made when so many were made of this epoch.
func (e *epochs) compare(whole, part Count) {
	way := e.ways.now()
	before := whole.Done - part.Done
	over := math.Round(before / part.Total)
	if !e.placed || e.loop || way.fromZero || way.fromOne || math.Abs(before-over*part.Total) > 1 {
		return // epochs had another length with other workers
	}
	switch {
	case over == e.last && (e.Total == 0 || over < e.Total):
		way.fromZero, e.Done = true, over
	case over == e.last-1:
		way.fromOne = true
	}
}

// countsFromZero says whether the epoch that is named is the number of those that are over. Where nothing tells, it is
// the one that it is in: better behind by one than ahead.
func (e *epochs) countsFromZero(s *seen) bool {
	switch way := e.ways.now(); {
	case s.has(fromZero):
		return !way.fromOne
	case s.has(fromOne):
		return way.zero
	default:
		return way.fromZero
	}
}

// whole is how many epochs there are.
func (e *epochs) whole(named float64, given Given, planned Work) float64 {
	if named > 0 {
		return named
	}
	if given.Total > mostEpochs {
		return 0
	}
	return firstOf(given.Total, given.Epochs, e.total, planned.Epochs)
}

// mayBe says whether so many epochs are over in this one, or in the next one if it is over.
func (e *epochs) mayBe(done float64) bool {
	return done == e.Done || (e.over || e.complete()) && done == e.Done+1
}

// begins says whether a count that was seen of an epoch begins anew with this one.
func (e *epochs) begins(c Count) bool {
	return c.Total == e.batch.Total && c.Done < e.batch.Done && c.Done <= c.Total/2
}

// isOf learns of a count of steps that does not name its epoch whether the one that was named at last is over: then
// it is of the next. It is false if it is of none of them.
func (e *epochs) isOf(c Count, bar bool) bool {
	if bar && e.own > 1 {
		return false // such as of samples: those of an epoch name it
	}
	if c.Done <= c.Total/2 && slices.Contains(e.ahead[:], c.Total) {
		// It was over when it was named, as all of them will be.
		e.closing, e.over, e.batch, e.opened = true, true, Count{c.Total, c.Total}, c.Total
	}
	e.ahead = totals{}
	switch {
	case !e.over && !e.fresh && !e.missed && e.complete() && (e.begins(c) || e.unnamed && c.Total == e.batch.Total):
		e.unnamed = true
		return false // the next one, which nothing has named yet
	case !e.over:
		return true
	case c.Total == e.batch.Total && c.Done > e.batch.Done && c.Done < c.Total:
		e.over, e.midway = false, true
		return true
	case e.batch.Total == 0 && c.Done == c.Total:
		return true // as it ends: of the one that is over
	case e.batch.Total > 0 && !e.begins(c), e.Total > 0 && e.Done+1 >= e.Total:
		return e.other >= mostOthers
	}
	e.Done, e.over, e.fresh, e.goesOn = e.Done+1, false, true, false
	return true
}

// mostOthers are how many counts of something else are passed over in an epoch.
const mostOthers = 32

// through is how many epochs are over with so much of this one; false if the count is of something else. Many says that
// several processes count, and named that this very piece names the epoch.
func (e *epochs) through(c Count, s *seen, named, many bool) (Count, bool) {
	switch {
	case !e.placed || c.Total == 0:
		return Count{}, false
	case named && e.Total == 1 && e.outer.Total == 0 && !e.missed && e.complete() && e.begins(c):
		e.isPart = true // the only one was over, and began anew
	case named && c.Done > 0:
		e.own++
	case !named && !e.isOf(c, s.bar):
		e.other++
		return Count{}, false
	}
	switch {
	case e.batch.Total > 0 && c.Total != e.batch.Total && !e.fresh && !e.again(s, named) &&
		(e.other < mostOthers || e.unnamed || e.complete() && (c.Total < e.batch.Total || e.batch.Total == e.usual)):
		e.other++ // such as of a validation, which comes when the epoch is over
		return Count{}, false
	case e.fresh && !named && (many || e.early && !e.goesOn) && c.Total == e.batch.Total && c.Done > c.Total/2 &&
		e.other < mostOthers:
		e.other++ // of another process, which is still in the epoch before
		return Count{}, false
	}
	if e.fresh && e.goesOn && !many && c.Total == e.batch.Total && c.Done > e.batch.Done {
		e.spans = c.Total // and was not begun anew with the epoch
	}
	if e.missed && !named && c.Total == e.batch.Total && c.Done < e.batch.Done-c.Total/2 {
		// The steps have begun anew, and the line that said so was missed.
		e.Done, e.missed = e.Done+1, false
		if e.Total > 0 {
			e.Done = max(0, min(e.Done, e.Total-1))
		}
	}
	if !e.fresh && c.Total == e.batch.Total {
		e.stride = max(e.stride, min(c.Done-e.batch.Done, c.Total/4))
	}
	if e.fresh {
		e.open(c)
	}
	e.batch, e.fresh, e.anew, e.other, e.inner = c, false, false, 0, 0
	return e.with(c), true
}

// open takes the first count of an epoch. Where that of the one before went up to as much, the training counts like
// that.
func (e *epochs) open(c Count) {
	if c.Total == e.opened {
		e.usual = c.Total
	}
	e.opened, e.early = c.Total, c.Done <= c.Total/2
}

// again says whether a count up to another total is of the same epoch, which goes on with another number of workers: a
// piece that names it itself, before it was over.
func (e *epochs) again(s *seen, named bool) bool {
	return named && (s.framed || e.anew)
}

// restart takes that an epoch is named again, as when it began, before it is over: it may go on with another number of
// workers, who count up to another total.
func (e *epochs) restart() {
	if !e.over && !e.complete() {
		e.fresh, e.goesOn, e.other = true, false, 0
	}
}
