package printed

// say takes which pass through all epochs begins.
func (e *epochs) say(s *seen, planned Work) {
	pass := *s.outer
	e.inTurn, e.sweeps, e.overs = s.inTurn, s.sweeps, s.overs
	if pass.Total == 0 && planned.single {
		return
	}
	if pass.Total == 0 {
		pass.Total = firstOf(max(planned.passes, planned.runs), e.said.Total) // as was said before
		e.unsaid = planned.passes == 0 && e.said.Total == 0
	}
	if pass.Total == 0 || pass.Done <= pass.Total {
		e.said = pass
	}
}

// comparePasses learns, as the first epoch is named, whether all of them are gone through once more. What counts that
// is believed where it stands at its beginning at first, or goes on by one meanwhile.
func (e *epochs) comparePasses(c Count, planned Work, first, again bool) {
	switch {
	case first && e.unsaid && e.said.Total == 0 && (e.said.Done <= 1 || e.missed) && !planned.single:
		e.isPart = true // of nobody knows how many
	case again && e.Total == 1 && e.saidNext():
		e.outer, e.isPart = e.said, false
	case e.outer.Total > 0 && e.saidNext() && e.Total != c.Total: // each has as many as it says
		e.outer, e.isPart = Count{}, true
	case e.outer.Total > 0 && e.saidNext() && c.Done < e.Done: // the one before may have stopped early
		e.outer = e.said
	case e.saidBefore() && (c.Done > 0 || e.Done < e.Total-1): // all has begun anew
		e.outer = e.said
	case e.outer.Total > 0 && e.saidNext() && c.Done > e.Done && c.Done < c.Total-1 && !e.missed:
		// The epochs go on from one to the next. The last of them may be of a process that is still in the pass before.
		e.outer = Count{}
	case first:
		if planned.runs > 1 && e.said == (Count{}) && c.Total > 0 && c.Done == 0 {
			e.said = Count{1, planned.runs}
		}
		told := e.missed && max(planned.passes, planned.runs) > 1 // so that it is no single one of them
		if e.said.Total > 1 && (e.said.Done <= 1 || e.inTurn || e.sweeps || told) {
			e.outer, e.pass0 = e.said, e.said.Done == 0 || e.overs
		}
	case again || c.Done > 0:
		return
	case e.anotherPart(c):
		e.outer, e.isPart, e.parts = Count{}, true, true
	case !e.placed || e.missed || e.Total != c.Total || e.Total < 2 || e.Done != e.Total-1:
		return
	case planned.runs > 1 && e.said == e.before && e.outer.Total == planned.runs && e.outer.Done < planned.runs &&
		(e.over || e.complete()):
		e.outer.Done++
		e.said = e.outer
	case e.saidNext(), e.sweeps && e.said.Total > 1:
		e.outer, e.isPart, e.pass0 = e.said, false, e.pass0 || e.overs
	case e.over, e.complete():
		e.outer, e.isPart = Count{}, true
	default:
		return
	}
	e.before = e.said
}

// anotherPart says that all epochs were over, and that others begin, of which there are more or less: as a training has
// that is made of several parts. Where there are many times more, those before were a preparation.
func (e *epochs) anotherPart(c Count) bool {
	const many = 4
	others := c.Total > 1 && e.Total > 1 && c.Total != e.Total && c.Total < many*e.Total
	return others && e.placed && !e.missed && !e.anew && e.Done == e.Total-1 && (e.over || e.complete())
}

// isInner says of an epoch that it is one of something that is done within the training, such as of a critic: it is
// named in other words, and there are more or less of them, while the epochs of the training go on.
func (e *epochs) isInner(s *seen) bool {
	all := s.epoch.Total
	if !e.known() || e.missed || e.anew || e.isPart || s.loop || all <= 1 || all >= e.Total-1 && all <= e.Total+1 ||
		e.ways.know(s.way) || e.innerWay != s.way && e.Done+1 >= e.Total && (e.over || e.complete()) {
		return false
	}
	e.inner, e.innerWay = e.inner+1, s.way
	return e.inner <= mostOthers
}

// saidNext says that the pass that was said is the next one, or another one of those that come in turn: not all of them
// may be printed, and a training goes back to its checkpoint.
func (e *epochs) saidNext() bool {
	return e.said.Total > 1 && e.said.Total == e.before.Total &&
		(e.said.Done == e.before.Done+1 || e.inTurn && e.said.Done != e.before.Done)
}

// saidBefore says that the pass that was said is one of those that were over.
func (e *epochs) saidBefore() bool {
	return e.outer.Total > 1 && e.said.Total == e.outer.Total && e.said.Done < e.before.Done
}

// passed is how many epochs were over before all of them began anew.
func (e *epochs) passed() float64 {
	if e.outer.Total == 0 || e.pass0 {
		return e.outer.Done * e.Total
	}
	return (e.outer.Done - 1) * e.Total
}

// inPass is in which pass steps were counted at last that name no epoch.
type inPass struct {
	said  Count
	parts bool // they have begun anew within one
}

// countInPass takes steps for those of the pass that was said before them, in whose place there is one epoch then.
// Where nothing counts steps, shares of the epochs of a pass do as well.
func (r *Reader) countInPass(s *seen) {
	e, c := &r.epochs, s.step
	shares := s.tellsShare()
	if shares && s.step == nil {
		c = &Count{s.epoch.Done, firstOf(s.epoch.Total, r.planned.cut())}
	} else if bare := s.bare(); bare != nil && s.batch == nil && bare.Done <= r.planned.Steps {
		c = &Count{bare.Done, r.planned.Steps}
	}
	if c == nil || c.Total == 0 || s.epoch != nil && !shares || s.batch != nil || roundWords[s.form] ||
		s.whole != nil && s.whole.Total > 0 ||
		r.given.Total > 0 || r.given.Work != (Work{}) || r.planned.Epochs > 1 && !r.planned.allInOne ||
		c.Total == e.said.Total {
		return
	}
	if e.said.Total <= 1 && !e.unsaid || e.seen && (!r.ofPass || e.Total > 1) || !e.seen && r.rivals.used > 0 {
		return
	}
	if r.inPass.said == e.said && e.complete() && e.begins(*c) { // such as of epochs that nothing names
		r.inPass.parts, e.isPart, e.outer, r.inAll = true, true, Count{}, told{}
	}
	if r.inPass.said = e.said; !r.inPass.parts && (!shares || !r.ofPass || c.Total == e.batch.Total) {
		s.countAs(c)
	}
}

// dropWithin forgets the one epoch that was counted before the first count of a pass, each of whose steps has such an
// epoch: the beginning was missed.
func (r *Reader) dropWithin() {
	if e := &r.epochs; e.Total == 1 && e.outer.Total == 0 {
		*e, r.inAll = epochs{said: e.said, inTurn: e.inTurn, unsaid: e.unsaid, missed: true}, told{}
	}
}

// tellsShare says that a piece tells which part of all epochs is over.
func (s *seen) tellsShare() bool { return s.epoch != nil && s.has(partly) && !s.loop }

// sayPass takes that a piece names a pass, and what this says of what was counted before.
func (r *Reader) sayPass(s *seen) {
	e := &r.epochs
	e.say(s, r.planned)
	if s.sweeps && e.seen && *s.outer == (Count{}) && e.said.Total == 0 && e.outer.Total == 0 {
		e.isPart, r.inAll = true, told{} // those that were seen are of one of several trainings
	}
	if r.wasInPass(s) {
		e.sweeps = true
		r.dropSteps()
	}
}

// wasInPass says, as a pass is named, that steps before it were those of another, though nothing has said so: such as
// where its beginning was missed.
func (r *Reader) wasInPass(s *seen) bool {
	before := s.sweeps || r.rivals.missed && r.rivals.used > 0 && (s.outer.Total > 1 || s.outer.Done > 1)
	return before && !r.studied && !r.epochs.seen
}
