package elastic

import "slices"

// A plan tries what it does not know to work out. Where it does not, what there was is put back here, and nowhere else:
// what was reserved, what a job counted on, and which new workers had nodes. Who has only taken something for a try, in
// the place of nothing, gives that back where it was taken.

// replaced is the reservation that a job had before it was planned anew.
type replaced struct {
	*trainee
	had []Span
}

// instead plans a job anew, while what it has reserved is free. Where that does not work out, as the function says, the
// job has again what it had.
func (t *timeline) instead(j *trainee, plan func() bool) bool {
	was := replaced{j, j.spans}
	t.release(j)
	if plan() {
		return true
	}
	t.restore(was)
	return false
}

// restore gives jobs what they had reserved, in the place of what they have now.
func (t *timeline) restore(all ...replaced) {
	for _, was := range all {
		t.release(was.trainee)
	}
	for _, was := range all {
		t.hold(was.trainee, was.had)
	}
}

// restorePromises does so for promised jobs, whose reservations are sure as well.
func (p *pool) restorePromises(all ...replaced) {
	for _, was := range all {
		p.secured.put(was.trainee, was.spans, -1)
		p.secured.put(was.trainee, was.had, 1)
	}
	p.timeline.restore(all...)
}

// instead counts another reservation of a job, while the one before is not counted. Where the other does not fit, as
// the function says, the one before is counted again.
func (l load) instead(j *trainee, had, gets []Span, fits func() bool) bool {
	l.put(j, had, -1)
	if !fits() {
		l.put(j, had, 1)
		return false
	}
	l.put(j, gets, 1)
	return true
}

// instead makes another set of reservations. Where that does not work out, as the function says, all are as before.
func (p *pool) instead(plan func() bool) bool {
	timeline, secured, borrowed, holders := p.timeline, p.secured, p.borrowed, slices.Clone(p.holders)
	spans, trials := map[*trainee][]Span{}, map[*trainee]Span{}
	for _, j := range holders {
		spans[j] = j.spans
	}
	for _, j := range p.onTrial {
		trials[j] = j.trial
	}
	if plan() {
		return true
	}
	for _, j := range p.onTrial {
		j.trial = trials[j]
	}
	for _, j := range p.holders {
		j.spans, j.planned = nil, false
	}
	p.timeline, p.secured, p.borrowed, p.holders = timeline, secured, borrowed, holders
	for _, j := range p.holders {
		j.spans, j.planned = spans[j], spans[j] != nil
	}
	return false
}

// insteadOfTrials plans while those that go on as they are hold nothing. Where that does not work out, as the function
// says, they hold what they had; and else what there still is room for.
func (p *pool) insteadOfTrials(plan func() bool) bool {
	p.takeTrials(-1)
	if !plan() {
		p.takeTrials(1)
		return false
	}
	p.holdTrialsThatFit()
	return true
}

// onHope plans a job on more than is sure of it. Where that does not work out, as the function says, it counts on no
// more than before.
func (j *trainee) onHope(plan func() bool) bool {
	sure := *j
	if plan() {
		return true
	}
	*j = sure
	return false
}

// allOrNone places new workers of a job. Where that does not work out, as the function says, it has those that it had.
func (l *layout) allOrNone(j *trainee, place func() bool) bool {
	had := len(j.added)
	if place() {
		return true
	}
	l.drop(j, Workers(len(j.added)-had))
	return false
}
