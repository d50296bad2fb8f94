package elastic

import "slices"

// seldom is how many times as long as a change costs a job trains before it is changed again for what is not sure.
const seldom = 5

// calm plans a job anew that counts on what is not sure, and was to change its size so soon after the last change that this
// would cost it a good part of its time. What may be its best size is another one with each reading by then, and somebody
// else would have begun with what it gives, only to give it back. It first keeps its size, if it may be in time all the same.
func (p *pool) calm(j *trainee) {
	if !j.planned || j.promise || p.owed(j) == j.Workers || !slices.ContainsFunc(j.fit, withWorkers(j.Workers)) {
		return
	}
	before, calm := j.spans, max(p.now, j.BusyUntil)+seldom*(j.Pause+j.loss(p.now))-j.Trained
	if calm <= p.now {
		return
	}
	p.timeline.release(j)
	if !p.timeline.reserveFrom(j, p.timeline.roundUp(calm)) {
		p.timeline.hold(j, before)
	}
}
