package elastic

// triedBriefly says that nobody has seen a job train with its size for as long as it takes to measure it, and as the
// change costs that gave it, and that it is likely to be faster there than with fewer workers, though that is not sure.
// While its output is out of reach nothing is seen; only a promise does not wait for that.
func (p *pool) triedBriefly(j *trainee) bool {
	now := p.now
	if j.AdvancedAt != 0 && !j.Promised {
		now = min(now, j.AdvancedAt)
	}
	return j.runs() && now < j.BusyUntil+p.measuring(j)+j.Pause+j.Rework && !j.sure(j.Workers) &&
		offers(j.useful(untried.of), j.Workers)
}

// untried is the middle of an estimate, of a size that was never tried where it is to run what it may well be there.
var untried = pace{func(s Size) Speed { return max(middle.of(s), s.Untried) }, middle.closing}

// inTimeWithWhatItHas says that a job is in time with the size that it has, by as much as is counted on.
func (j *trainee) inTimeWithWhatItHas(now Seconds) bool {
	return j.sure(j.Workers) && max(now, j.BusyUntil)+j.lasts(j.size(j.Workers), j.todo) <= j.due()
}

// tryOn plans a job by the middle of its estimate that by its pessimistic end would have to give back a size which it
// has hardly tried, if it is in time with that in the middle, or as it may well be where nobody can tell yet: what is
// seen of a size at first may be an evaluation, and to give it back for that costs a change once more. Where it has the
// time to try it by what is sure, it is planned as all others are.
func (p *pool) tryOn(j *trainee) bool {
	if j.hopeful() || j.Uninterruptible || !p.triedBriefly(j) {
		return false
	}
	if p.timeline.reserveAfter(j, j.Workers, p.busy(j, j.Workers)) {
		p.timeline.release(j)
		return false
	}
	doubts := *j
	if j.hopeFor(untried); j.inTimeWithWhatItHas(p.now) && (p.resume(j) || p.reserve(j)) {
		return true
	}
	*j = doubts
	return false
}
