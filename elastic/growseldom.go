package elastic

// seldom is how many times as long as a change costs a job trains before it grows again for what is not sure.
const seldom = 5

// growSeldom plans a job anew that counts on what is not sure, and was to grow so soon after its last change that
// changes would cost it a good part of its time: which size is best for it seems to be another one with each reading.
// It first trains on as it is, if it may be in time all the same. One that never had another size has not changed yet.
func (p *pool) growSeldom(j *trainee) {
	if !j.planned || j.promise || j.FirstSize || p.owed(j) <= j.Workers || !offers(j.fit, j.Workers) {
		return
	}
	until := j.BusyUntil + seldom*(j.Pause+j.Rework)
	if until <= p.now {
		return
	}
	stays := max(p.timeline.roundUp(until), j.BusyUntil)
	if p.timeline.instead(j, func() bool { return p.timeline.reserveFrom(j, stays) }) {
		p.wake = min(p.wake, until)
	}
}
