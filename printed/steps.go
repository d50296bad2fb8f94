package printed

import "time"

// takeSteps takes a count of steps. It gives that of a part, such as an epoch, if there is one.
func (r *Reader) takeSteps(s *seen, at time.Time) (part *Count) {
	c, of := s.whole, certain
	switch {
	case s.share != nil && firstOf(r.given.Total, r.stepsInAll()) == 0:
		if c = s.share; r.steps.Count == (Count{c.Total, c.Total}) && c.Done < c.Total/2 {
			r.epochs.isPart = true // one of several trainings, of which nobody knows how many there are
			r.dropSteps()
		}
		if r.epochs.isPart {
			r.seen.step = *c
			return nil
		}
	case c == nil && s.step != nil:
		c, of = s.step, rankOf(s)
	case c != nil && c.Total == 0 && s.step != nil && s.step.Total > 0 && r.epochs.seen: // STEP: 24/377, GLOBAL_STEP: 1155
		part = s.step
		r.seen.batches.take(*s.step, at)
	case s.batch == nil || s.batch.Total == 0:
	case s.batch.Total == r.stepsInAll() && !s.ofPass:
		c = s.batch // though an epoch stands before it
	default:
		part = s.batch
		r.seen.batches.take(*s.batch, at)
	}
	if s.whole != nil && s.whole.Total == 0 && part != nil {
		r.epochs.compare(*s.whole, *part)
	}
	if c == nil {
		return part
	}
	if s.bar {
		all := r.from.rest(*c, r.stepsInAll())
		c = &all
	}
	if before := r.seen.step; r.epochs.spans > 0 && c.Total == r.epochs.spans && before == (Count{c.Total, c.Total}) &&
		c.Done == 0 {
		r.epochs.spans = 0 // it begins anew
		r.dropSteps()
	}
	r.seen.complete.take(*c)
	r.seen.step, r.seen.bar, r.seen.drawn = *c, of == bare, s.bar && s.trains && c.Done == 0
	if c.Total == 0 {
		r.seen.bare, r.seen.bareForm = *c, s.form
		if r.planned.Steps > 0 && c.Done > r.planned.Steps {
			r.planned.Steps = 0 // it was something else that was said
			r.dropSteps()
		}
		if lead := r.rivals.leader(); lead != nil && !r.percent && lead.rank != certain && c.Done > lead.Count.Total &&
			(lead.label == wordsAlone || lead.complete()) {
			r.dropSteps() // what it counted up to was not all
		}
	}
	r.epochs.goOn(*c)
	rounds := roundWords[s.form] && c.Total > 1 && r.given.Total == 0 && r.given.Work == (Work{})
	if rounds {
		r.round = *c
	}
	if (!r.ofWhole(*c, of, s.bar) || of == named && r.isOfScript(s, *c)) && (!rounds || !r.epochs.isPart) {
		if r.steps.any && c.Total == r.steps.Total && c.Done < r.steps.Done && !r.epochs.seen {
			r.dropSteps() // it begins anew with what was taken for the whole
		}
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
	r.percent = s.form == "percent"
	if r.rivals.take(whole, label, of, s.nested && s.bar, at) {
		r.tell(&r.steps, whole, at)
	}
	return part
}

// goesOnAt says of a count that the steps of the whole go on with it, though epochs are named beside them. Where it
// begins anew with an epoch, it was of that.
func (r *Reader) goesOnAt(c Count) bool {
	if !r.steps.any || r.steps.Total != r.stepsInAll() {
		return false
	}
	if c.Done < r.steps.Done && !r.epochs.anew {
		r.dropSteps()
		return false
	}
	return true
}

// isOfScript says that a count may be one of what a script does, of which the training is a part: "Step 3/4: train".
func (r *Reader) isOfScript(s *seen, c Count) bool {
	const most = 8 // stages
	return c.Total > 0 && c.Total <= most && !s.bar && !roundWords[s.form] && c.Total != r.given.Total &&
		c.Total != r.stepsInAll() && !result.MatchString(s.text)
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
		return steps > 0 && c.Done <= steps && (!r.epochs.known() || r.epochs.Total == 1 || of == certain || r.goesOnAt(c))
	case c.Total < given.Steps: // so it begins anew, with every epoch or so
		return false
	case c.Total == steps, c.Total == r.epochs.spans, of == certain, given.Steps > 0 && !given.Either,
		of == bare && bar && r.planned.allInOne && (steps == 0 || r.epochs.Total == 0):
		return true
	case r.planned.Epochs > 1 && r.steps.any && r.steps.Total == c.Total && r.steps.Done <= c.Done && !r.epochs.seen:
		return true // it was before anything said how many epochs there are
	case r.planned.Epochs > 1, c.Total < r.planned.Steps && of == bare, c.Total*manyTimes < r.planned.Steps,
		bar && c.Total < r.commanded.Steps && r.commanded.Steps == r.planned.Steps:
		return false // it may be one of an epoch
	}
	return !r.epochs.seen
}

func (r *Reader) stepsInAll() float64 { return firstOf(r.given.Steps, r.planned.Steps) }

// dropOpen forgets steps that were taken for those of the whole before an epoch was named.
func (r *Reader) dropOpen() {
	lead := r.rivals.leader()
	if lead == nil || lead.rank == certain || lead.Count.Total == r.epochs.spans || r.planned.allInOne ||
		r.round.Total > 0 && r.epochs.isPart {
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
