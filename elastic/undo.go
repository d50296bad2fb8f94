package elastic

import "slices"

// A plan tries what it does not know to work out. What it does then is put back here, and nowhere else.

// before is what a job had reserved before it was planned anew.
type before struct {
	*trainee
	had []Span
}

// instead plans a job anew, while what it has reserved is free. Where that does not work out, as the function says, the
// job has again what it had.
func (t *timeline) instead(j *trainee, plan func() bool) bool {
	was := before{j, j.spans}
	t.release(j)
	if plan() {
		return true
	}
	t.restore(was)
	return false
}

// restore gives jobs what they had reserved, in the place of what they have now.
func (t *timeline) restore(all ...before) {
	for _, was := range all {
		t.release(was.trainee)
	}
	for _, was := range all {
		t.hold(was.trainee, was.had)
	}
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
	timeline, secured, borrowed, reserved := p.timeline, p.secured, p.borrowed, slices.Clone(p.reserved)
	spans, trials := map[*trainee][]Span{}, map[*trainee]Span{}
	for _, j := range reserved {
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
	for _, j := range p.reserved {
		j.spans, j.planned = nil, false
	}
	p.timeline, p.secured, p.borrowed, p.reserved = timeline, secured, borrowed, reserved
	for _, j := range p.reserved {
		j.spans, j.planned = spans[j], spans[j] != nil
	}
	return false
}
