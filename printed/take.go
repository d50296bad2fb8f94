package printed

import (
	"fmt"
	"slices"
	"strconv"
	"time"
)

// take takes what the next piece says.
func (r *Reader) take(s *seen, at time.Time) {
	if s.saved {
		r.saves++
		if !at.IsZero() {
			r.savedAt = at
		}
	}
	r.epochs.resumed = r.epochs.resumed || s.resumes
	if r.engine == 0 {
		r.engine = s.engine
	}
	if s.engine > 0 || s.engineEnds {
		r.within = s.engine > 0 && s.engine != r.engine
	}
	if r.within {
		return
	}
	r.plan(s)
	if s.outer != nil && s.namesPass() && r.follow.is(s.process) {
		r.epochs.say(*s.outer, r.planned)
	}
	if !s.counts() || s.has(aside) || !r.follow.is(s.process) {
		return
	}
	if s.bar && r.looped.countEpochs(s) {
		s.loop, s.mark = true, s.mark&^fromOne|fromZero|partly
	}
	if s.loop && !r.isLoop(s) {
		s.step, s.epoch, s.loop, s.trains = s.epoch, nil, false, true
		s.mark &^= partly
	}
	fraction := s.epoch != nil && s.has(partly) && !s.loop
	named := s.epoch != nil && !fraction && s.epoch.Done < mostSeconds
	again, over := false, false
	if named && s.epoch.Done > r.commanded.Epochs && r.commanded.Epochs > 0 && r.planned.Epochs == r.commanded.Epochs {
		r.commanded.Epochs, r.planned.Epochs = 0, 0 // it was another program that was told so many
	}
	if named {
		first := !r.epochs.seen
		if again = r.epochs.name(s, r.given, r.planned); !again && r.seen.drawn {
			r.epochs.drawn = r.seen.step.Total
		}
		alone := s.batch == nil && s.step == nil && s.whole == nil
		r.title = alone && s.epoch.Total > 0
		if first && alone && !r.planned.allInOne {
			r.epochs.ahead = r.seen.complete
			if ahead := r.seen.step; ahead.Total > 0 && !slices.Contains(r.seen.complete[:], ahead.Total) {
				r.epochs.batch = ahead // it is in the middle of it
			}
		}
		over = (r.closings.over(s) || r.epochs.closing && alone) && !r.epochs.midway
		if over && alone {
			r.epochs.over = true
		}
		r.dropOpen()
	}
	part := r.takeSteps(s, at)
	within := 0.0
	if bare := s.bare(); bare != nil && r.epochs.known() && !over && !r.epochs.over && r.epochs.batch.Total == 0 {
		within = r.length.take(bare.Done, s.form, r.epochs.Done)
	}
	switch {
	case fraction:
		planned := r.planned
		planned.Epochs = planned.cut()
		if c := (Count{s.epoch.Done, r.epochs.whole(s.epoch.Total, r.given, planned)}); c.Total > 0 && c.Done <= c.Total &&
			(r.given.Total == 0 || c.Total == r.given.Total) {
			r.tellEpochs(c, at)
		}
		if s.has(barsOfAll) {
			r.rivals.confirm()
		}
	case part != nil && part.Total > 0 && r.epochs.placed:
		if c, ok := r.epochs.through(*part, named, s.bar, r.inAll.jumps >= jumpsOfMany); ok && c.Total > 0 {
			r.tellEpochs(c, at)
		}
	case within == ofAnother:
	case within > 0:
		r.tellEpochs(Count{r.epochs.Done + within, r.epochs.Total}, at)
	case named && r.epochs.known():
		c := r.epochs.Count
		if over {
			c.Done = min(c.Done+1, c.Total)
		} else if told := r.inAll.Done - r.epochs.passed(); again && r.inAll.any && told > c.Done {
			c.Done = min(told, c.Done+1) // an epoch that is named again is as far as it was
		}
		r.tellEpochs(c, at)
	}
}

// tellEpochs tells how many epochs are over. Where all of them are gone through several times, such as for each fold,
// all of these count.
func (r *Reader) tellEpochs(c Count, at time.Time) {
	e := &r.epochs
	switch {
	case e.outer.Total > 0 && r.given.Total == 0 && r.given.Epochs == 0:
		c = Count{e.passed() + c.Done, e.outer.Total * c.Total}
	case e.isPart:
		r.inAll = told{}
		return
	}
	r.tell(&r.inAll, c, at)
}

// isLoop says whether a bar that has epoch before it counts epochs, and not the steps of one: as many as there are, and
// never again from the beginning.
func (r *Reader) isLoop(s *seen) bool {
	if all := r.epochs.Total; r.epochs.loop && s.epoch.Total < all && r.epochs.Done < all { // it has begun anew
		s.epoch = &Count{all - s.epoch.Total + s.epoch.Done, all}
	}
	planned := firstOf(r.given.Epochs, r.planned.Epochs)
	if r.epochs.loopsAnew || planned > 0 && s.epoch.Total != planned && !anyOf(s.label, manyEpochs) {
		return false
	}
	if e := &r.epochs; e.loop && e.Total == s.epoch.Total && e.Done == e.Total && s.epoch.Done <= e.Total/2 {
		r.epochs, r.inAll, r.unit = epochs{loopsAnew: true}, told{}, ""
		return false
	}
	return true
}

// plan takes what is said of how much there is to do in all. What the training was begun with counts. Where the same is
// said in the same words, but for its numbers, the script has begun anew: it counts other steps with other workers. Not
// so where it grows with every count or two: then it is a count itself, whatever it is called.
func (r *Reader) plan(s *seen) {
	const apart = 3 // counts
	r.planned.allInOne = r.planned.allInOne || s.has(barsOfAll)
	said := s.planned
	same := said.Steps > 0 && s.words == r.plannedBy
	switch {
	case r.told == 0:
		r.planned = said.or(r.planned)
	case same && (said.Steps < r.planned.Steps || said.Steps > r.planned.Steps && r.told-r.plannedAt >= apart):
		r.planned, r.rivals = said.or(r.planned), rivals{}
	default:
		r.planned = r.planned.or(said)
	}
	if commanded := r.commanded.Epochs; commanded > 0 {
		r.planned.Epochs, r.planned.whole = commanded, r.commanded.whole
	}
	r.planned = r.planned.withMore()
	if same || said.Steps > 0 && said.Steps == r.planned.Steps {
		r.plannedBy, r.plannedAt = s.words, r.told
	}
}

// mostSeconds is from where on an epoch is a time in seconds.
const mostSeconds = 1e8

// dropOpen forgets steps that were taken for those of the whole before an epoch was named.
func (r *Reader) dropOpen() {
	lead := r.rivals.leader()
	if lead == nil || lead.rank == certain || lead.Count.Total == r.epochs.spans || r.planned.allInOne {
		return
	}
	r.dropSteps()
}

func (r *Reader) dropSteps() {
	r.steps, r.rivals = told{}, rivals{}
	if r.unit == Steps {
		r.unit = ""
	}
}

func (r *Reader) tell(in *told, c Count, at time.Time) {
	whole := c.Total
	if in == &r.inAll {
		whole = 1
	}
	if in.take(c, whole, at) {
		r.told++
	}
}

// takeSteps takes a count of steps. It gives that of a part, such as an epoch, if there is one.
func (r *Reader) takeSteps(s *seen, at time.Time) (part *Count) {
	c, of := s.whole, certain
	switch {
	case c == nil && s.step != nil:
		c, of = s.step, rankOf(s)
	case c != nil && c.Total == 0 && s.step != nil && s.step.Total > 0 && r.epochs.seen: // STEP: 24/377, GLOBAL_STEP: 1155
		part = s.step
		r.seen.batch = *s.step
	case s.batch == nil || s.batch.Total == 0:
	case s.batch.Total == r.stepsInAll():
		c = s.batch // though an epoch stands before it
	default:
		part = s.batch
		r.seen.batch = *s.batch
	}
	if c == nil {
		return part
	}
	if before := r.seen.step; r.epochs.spans > 0 && c.Total == r.epochs.spans && before == (Count{c.Total, c.Total}) &&
		c.Done == 0 {
		r.epochs.spans = 0 // it begins anew
		r.dropSteps()
	}
	r.seen.complete.take(*c)
	r.seen.step, r.seen.bar, r.seen.drawn = *c, of == bare, s.bar && s.trains && c.Done == 0
	if c.Total == 0 {
		r.seen.bare = *c
		if r.planned.Steps > 0 && c.Done > r.planned.Steps {
			r.planned.Steps = 0 // it was something else that was said
			r.dropSteps()
		}
		if lead := r.rivals.leader(); lead != nil && lead.rank != certain && c.Done > lead.Count.Total &&
			(lead.label == wordsAlone || lead.complete()) {
			r.dropSteps() // what it counted up to was not all
		}
	}
	r.epochs.goOn(*c)
	if !r.ofWhole(*c, of, s.bar) {
		if part == nil && of != certain {
			part = c
		}
		return part
	}
	whole := Count{c.Done, firstOf(r.given.Total, c.Total, r.stepsInAll())}
	label := s.label
	if whole.Total == r.given.Total || whole.Total == r.stepsInAll() {
		of = certain // this is what there is to do in all
	}
	if !s.bar {
		label = wordsAlone
	}
	if r.rivals.take(whole, label, of, s.nested && s.bar, at) {
		r.tell(&r.steps, whole, at)
	}
	return part
}

func rankOf(s *seen) rank {
	if s.bar && !s.trains {
		return bare
	}
	return named
}

// ofWhole says whether a count of steps is that of the whole training. Where nobody has said how many there are in all,
// steps are those of an epoch as soon as there are epochs.
func (r *Reader) ofWhole(c Count, of rank, bar bool) bool {
	given, steps := r.given, r.stepsInAll()
	if given.Total > 0 {
		return c.Total == given.Total || c.Total == 0 && c.Done <= given.Total && !r.epochs.known()
	}
	switch {
	case given.Steps == 0 && given.Epochs > 0 && (of != certain || c.Total == 0):
		return false
	case c.Total == 0:
		return steps > 0 && c.Done <= steps && (!r.epochs.known() || of == certain)
	case c.Total < given.Steps: // so it begins anew, with every epoch or so
		return false
	case c.Total == steps, c.Total == r.epochs.spans, of == certain, given.Steps > 0 && !given.Either,
		of == bare && bar && r.planned.allInOne && (steps == 0 || r.epochs.Total == 0):
		return true
	case r.planned.Epochs > 1, c.Total < r.planned.Steps && of == bare:
		return false // it may be one of an epoch
	}
	return !r.epochs.seen
}

func (r *Reader) stepsInAll() float64 { return firstOf(r.given.Steps, r.planned.Steps) }

// firstOf is the first number that is not 0.
func firstOf(numbers ...float64) float64 {
	for _, number := range numbers {
		if number != 0 {
			return number
		}
	}
	return 0
}

// doubt says why nothing is told although something is counted.
func (r *Reader) doubt() string {
	last, planned := r.seen, r.planned
	switch {
	case r.epochs.isPart:
		return fmt.Sprintf("%g epochs are gone through again and again, and nothing says how often", r.epochs.Total)
	case r.epochs.placed:
		return fmt.Sprintf("epochs are counted, %g of them at last, and nothing says how many there are in all",
			r.epochs.last)
	case last.step.Total > 0 && r.given.Total > 0:
		return fmt.Sprintf("steps are counted up to %g, and not up to %g", last.step.Total, r.given.Total)
	case last.step.Total > 0 && last.step.Total < r.stepsInAll():
		return fmt.Sprintf("steps are counted up to %g, and there are %g in all: these are a part", last.step.Total,
			r.stepsInAll())
	case last.step.Total > 0 && last.bar && planned.Epochs > 1:
		return fmt.Sprintf("a bar counts up to %g, and there are %g epochs: "+
			"nothing says whether it counts one of them or all", last.step.Total, planned.Epochs)
	case last.step.Total > 0:
		return fmt.Sprintf("steps are counted up to %g, which may be one of several epochs", last.step.Total)
	case last.batch.Total > 0:
		return fmt.Sprintf("the %g steps of an epoch are counted, and nothing counts the epochs", last.batch.Total)
	case last.bare.Done > 0:
		return fmt.Sprintf("steps are counted, %g at last, and nothing says how many there are in all", last.bare.Done)
	}
	return ""
}

// follow is the process that is followed where several are told apart: that of the lowest number.
type follow struct {
	any    bool
	number int
	others int // how many counts in a row were of others
	lost   int // how often it was not heard of any more
}

// is says whether a process is the one that is followed.
func (f *follow) is(process string) bool {
	const (
		mostOthers = 64
		mostLost   = 2 // numbers that never come again are none of processes
	)
	number, err := strconv.Atoi(process)
	if err != nil || f.lost >= mostLost {
		return true
	}
	if f.any && number > f.number && f.others < mostOthers {
		f.others++
		return false
	}
	if f.others >= mostOthers {
		f.lost++
	}
	f.any, f.number, f.others = true, number, 0
	return true
}
