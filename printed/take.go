package printed

import (
	"slices"
	"strings"
	"time"
)

// take takes what the next piece says.
func (r *Reader) take(s *seen, at time.Time) {
	r.takeSave(s, at)
	r.epochs.resumed, r.epochs.anew = r.epochs.resumed || s.resumes, r.epochs.anew || s.resumes
	r.from.join(&s.from)
	r.epochs.loaded = firstOf(s.loaded, r.epochs.loaded)
	if r.inAnotherEngine(s) {
		return
	}
	r.plan(s)
	if s.has(ofBatches) && s.whole.Done <= r.planned.batches {
		s.whole.Total = r.planned.batches
	}
	if lead := r.rivals.leader(); lead != nil && s.refutes > 0 && s.refutes == lead.Count.Total && lead.moves == 0 {
		r.dropSteps() // as of bytes, whose rate is not known at first
		r.seen.step = Count{}
	}
	r.takeRounded(s)
	r.takeResults(s)
	if s.has(aside) && evaluations[firstWord(s.text)] {
		r.evaluation.titled, r.evaluation.counts = true, 0
	}
	r.countRounds(s)
	if s.outer != nil && s.namesPass() && r.follow.is(s.process) {
		r.sayPass(s)
	}
	s.isAtLeast(r.seen.bare.Done)
	if !s.counts() || s.has(aside) || r.repeats(s) || !r.follow.is(s.process) ||
		r.evaluation.has(s, r.rivals.leader()) || r.bareSteps.isOther(s, r.stepsInAll()) {
		return
	}
	r.leaveStudy(s)
	r.countInPass(s)
	if s.ofPass && s.inTurn && !r.ofPass {
		r.dropWithin()
	}
	if r.ofPass = r.ofPass || s.ofPass; r.ofPass && !s.ofPass && s.epoch != nil && (s.epoch.Total == 1 || s.tellsShare()) {
		return // of what is done within a step of the pass, or of the pass itself, whose steps are counted
	}
	r.takeLoop(s)
	fraction := s.tellsShare()
	named, again, over := s.epoch != nil && !fraction && s.epoch.Done < mostSeconds, false, false
	if named && r.epochs.isInner(s) {
		return
	}
	if named {
		again, over = r.takeEpoch(s, at)
	}
	part := r.takeSteps(s, at)
	within, before := r.takeBare(s, over)
	switch {
	case fraction:
		r.takeFraction(s, at)
	case part != nil && part.Total > 0 && r.epochs.placed:
		if c, ok := r.epochs.through(*part, s, named, r.inAll.jumps >= jumpsOfMany); ok && c.Total > 0 {
			r.tellEpochs(c, at)
		} else if !ok && s.batch == nil && (!s.bar || s.trains) { // those of another epoch would name it before
			r.beyond.take(*part)
		}
	case within == ofAnother:
	case within > 0:
		r.tellEpochs(Count{before + within, r.epochs.Total}, at)
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

// leaveStudy forgets a study that is over, once something else counts: what is trained by what it has found.
func (r *Reader) leaveStudy(s *seen) {
	if r.studied && !s.study {
		r.dropSteps()
		r.epochs, r.closings, r.inAll, r.studied = epochs{}, closings{}, told{}, false
	}
	r.studied = r.studied || s.study && s.whole.Done == s.whole.Total
}

// isAtLeast takes a step that is rounded for as many as were counted before, if it may be as many.
func (s *seen) isAtLeast(before float64) {
	if c := s.step; c != nil && s.rounded > 0 && before > c.Done && before <= c.Done+s.rounded {
		c.Done = before
	}
}

// takeBare takes steps of which nothing says how many there will be. It says how many epochs are over before the one
// that they are of, and what part of that is over; 0 where that is not known.
func (r *Reader) takeBare(s *seen, over bool) (within, before float64) {
	e := &r.epochs
	before = e.Done
	if !e.known() || e.batch.Total > 0 {
		return 0, before
	}
	if over && s.bare() == nil && r.seen.bare.Done > 0 {
		r.length.close(r.seen.bare.Done, r.seen.bareForm, e.Done)
	}
	bare := s.bare()
	if bare == nil || over {
		return 0, before
	}
	if e.over {
		if before++; before >= e.Total {
			return 0, before
		}
	}
	if e.anew {
		r.length.resume(bare.Done, before)
		e.anew = s.resumes // what stands in the same line may be of before
	}
	return r.length.take(bare.Done, s.form, before), before
}

// countRounds takes an episode or the like for one of as many as are planned.
func (r *Reader) countRounds(s *seen) {
	if s.round == nil || s.counts() || s.has(aside) {
		return
	}
	all := r.planned.rounds[s.rounds-planEpisodes]
	r.seen.round, r.seen.rounds = s.round.Done, s.rounds
	begins := strings.HasSuffix(s.text, "]") && roundBegins.MatchString(s.text)
	if s.round.Done > all ||
		!begins && isAll(s.round, all, r.seen.step.Done) && !measured(s.text) {
		return
	}
	if s.step = (&Count{s.round.Done, all}); begins {
		s.step.Done = max(0, s.step.Done-1)
	}
}

// takeSave takes that a checkpoint was written.
func (r *Reader) takeSave(s *seen, at time.Time) {
	if !s.saved {
		return
	}
	r.saves++
	if !at.IsZero() {
		r.savedAt = at
	}
}

// inAnotherEngine says whether a piece is of an engine of Ignite that is not that of the training, such as one that
// evaluates. That of the training begins first, or has told how many epochs it has where its beginning was missed.
// Several processes may be in an evaluation, and end it one after the other. The training itself goes back to an epoch
// that an evaluation has as well where its engine begins anew.
func (r *Reader) inAnotherEngine(s *seen) bool {
	if r.engine == 0 && s.engine > 0 {
		r.engine = firstOf(r.epochs.Total, s.engine)
		if r.epochs.Total == 0 && (r.epochs.seen || r.epochs.missed && s.engine == 1) {
			r.engine = missedEngine
		}
	}
	switch {
	case s.engineEnds:
		r.within = max(0, r.within-1)
	case s.engine == 0:
	case s.engine == r.engine:
		r.within, r.ofOthers = 0, 0
	default:
		r.within, r.ofOthers = r.within+1, max(r.ofOthers, s.engine)
	}
	if s.epoch == nil {
		return r.within > 0
	}
	return r.ofOthers > 0 && s.epoch.Done <= r.ofOthers && (r.within > 0 || r.epochs.last > r.ofOthers)
}

// missedEngine stands for the engine of a training whose beginning was missed.
const missedEngine = -1

// takeLoop settles whether a bar counts epochs, or the steps of one: what it says is put where that belongs.
func (r *Reader) takeLoop(s *seen) {
	if s.bar && r.looped.countEpochs(s) {
		s.loop, s.mark = true, s.mark&^fromOne|fromZero|partly
	}
	if s.epoch != nil && s.epoch.Total == 0 && !s.bar && r.epochs.loopIsOver(s.epoch) {
		r.dropLoop(s.label)
	}
	if r.countsPlanned(s) {
		s.epoch, s.step, s.loop, s.mark = s.step, nil, true, s.mark|fromZero|partly
	}
	r.below = r.below || s.nested
	if s.loop && r.mayBeWithinOne(s) {
		s.batch, s.epoch, s.loop = s.epoch, nil, false
		s.mark &^= partly
	}
	if s.loop && !r.isLoop(s) {
		s.step, s.epoch, s.loop, s.trains = s.epoch, nil, false, true
		s.mark &^= partly
	}
}

// countsPlanned says that a bar without a label, below which others are drawn, counts as many as there are epochs.
func (r *Reader) countsPlanned(s *seen) bool {
	planned := firstOf(r.given.Epochs, r.planned.Epochs)
	return s.bar && s.step != nil && s.label == "" && !s.nested && r.below && planned > 1 && s.step.Total == planned &&
		r.given.Total == 0 && (!r.epochs.seen || r.epochs.loop)
}

// takeEpoch takes an epoch that is named. It says whether it was before, and whether it is over.
func (r *Reader) takeEpoch(s *seen, at time.Time) (again, over bool) {
	if s.epoch.Done > r.commanded.Epochs && r.commanded.Epochs > 0 && r.planned.Epochs == r.commanded.Epochs {
		r.commanded.Epochs, r.planned.Epochs = 0, 0 // it was another program that was told so many
		r.inAll = told{}
	}
	first, missed := !r.epochs.seen, r.epochs.missed
	again = r.epochs.name(s, r.given, r.planned)
	ofAll := first && (r.epochs.fits(r.seen.step, false) || s.has(ended) && r.epochs.fits(r.seen.step, true))
	if !again && (r.seen.drawn || ofAll) {
		r.epochs.drawn = r.seen.step
	}
	if !first && !again {
		r.epochs.ahead = totals{} // it was of the epoch before
	}
	r.epochs.isPart = r.epochs.isPart || first && r.round.Done < r.round.Total
	alone := s.batch == nil && s.step == nil && s.whole == nil
	r.title = alone && s.epoch.Total > 0
	if first && alone && !s.loop && !r.planned.allInOne {
		if !missed { // else the one before it may have been named
			r.epochs.ahead = r.seen.complete
		}
		if ahead := r.seen.step; ahead.Total > 0 && !slices.Contains(r.seen.complete[:], ahead.Total) {
			r.epochs.batch = ahead // it is in the middle of it
		}
	}
	over = (r.closings.over(s, !missed, at) || r.epochs.closing && alone) && !r.epochs.midway
	switch {
	case over && alone:
		r.epochs.over = true
	case s.has(ended) && !over: // it has turned out to go on
		again = again && !r.epochs.over // and is not as far as it was told to be
		r.epochs.over = false
	case again && r.title && !s.loop: // a bar of epochs is drawn again where it stands
		r.epochs.restart()
	}
	r.dropOpen()
	return again, over
}

// takeFraction takes an epoch of which a part is done, as frameworks tell it that count nothing else.
func (r *Reader) takeFraction(s *seen, at time.Time) {
	planned := r.planned
	planned.Epochs = planned.cut()
	r.seen.fraction = s.epoch.Done
	if c := (Count{s.epoch.Done, r.epochs.whole(s.epoch.Total, r.given, planned)}); c.Total > 0 && c.Done <= c.Total &&
		(r.given.Total == 0 || c.Total == r.given.Total) {
		r.tellEpochs(c, at)
	}
	if s.has(barsOfAll) {
		r.rivals.confirm()
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
	if c.Done < c.Total {
		r.beyond = beyond{}
	}
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
	if r.epochs.loopIsOver(s.epoch) && r.epochs.Total == s.epoch.Total {
		r.dropLoop(s.label)
		return false
	}
	return true
}

// mayBeWithinOne says that a bar may count the steps of one epoch as well as epochs: "Training Epoch" names both.
func (r *Reader) mayBeWithinOne(s *seen) bool {
	planned := firstOf(r.given.Total, r.given.Epochs, r.planned.Epochs)
	return s.bar && s.trains && planned == 0 && !r.below && !r.epochs.loop &&
		!anyOf(s.label, manyEpochs)
}

// dropLoop takes that what was taken for a loop of epochs is the steps of one: it was complete, and the next has begun.
func (r *Reader) dropLoop(label string) {
	all := Count{r.epochs.Total, r.epochs.Total}
	r.epochs, r.inAll, r.unit = epochs{loopsAnew: true}, told{}, ""
	r.rivals.take(all, label, named, false, time.Time{})
}

// plan takes what is said of how much there is to do in all. What the training was begun with counts. Where the same is
// said in the same words, but for its numbers, the script has begun anew: it counts other steps with other workers. Not
// so where it grows with every count or two: then it is a count itself, whatever it is called.
func (r *Reader) plan(s *seen) {
	const apart = 3 // counts
	r.planned.allInOne = r.planned.allInOne || s.has(barsOfAll)
	said := s.planned
	r.length.told = firstOf(said.ofEpoch/max(1, r.length.accumulated), r.length.told)
	if s.micro.Total > 0 && s.micro.Done > s.micro.Total {
		r.length.accumulate(s.micro.Done, s.micro.Total)
	}
	same := said.Steps > 0 && s.words == r.plannedBy
	if s.inSentence && !same && (r.epochs.seen || r.planned.Steps > 0) {
		said.Steps = 0 // such as those of an epoch
	}
	switch {
	case r.told == 0:
		r.planned = said.or(r.planned)
	case same && (said.Steps < r.planned.Steps || said.Steps > r.planned.Steps && r.told-r.plannedAt >= apart):
		r.planned, r.rivals = said.or(r.planned), rivals{}
	default:
		r.planned = r.planned.or(said)
	}
	if said.scheduled && r.commanded.Epochs > 0 {
		r.commanded.Epochs, r.commanded.whole = said.Epochs, true
	}
	if commanded := r.commanded.Epochs; commanded > 0 && !r.commanded.ends {
		r.planned.Epochs, r.planned.whole = commanded, r.commanded.whole
	}
	r.planned = r.planned.withMore()
	if same || said.Steps > 0 && said.Steps == r.planned.Steps {
		r.plannedBy, r.plannedAt = s.words, r.told
	}
}

// mostSeconds is from where on an epoch is a time in seconds.
const mostSeconds = 1e8

func (r *Reader) tell(in *told, c Count, at time.Time) {
	whole := c.Total
	if in == &r.inAll {
		whole = 1
	}
	if in.take(c, whole, at) {
		r.told++
	}
}

// firstOf is the first number that is not 0.
func firstOf(numbers ...float64) float64 {
	for _, number := range numbers {
		if number != 0 {
			return number
		}
	}
	return 0
}
