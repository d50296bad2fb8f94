package progress

import "time"

// dates turn the clock of a node into ours, which may be ahead of it: what a reading tells that the one before did not
// has happened since then, whatever the node says. Or the node is ahead: nothing is told before it has happened. All
// else goes by our clock, such as when the workers of the job have changed; to that it would seem that nothing advances
// any more.
type dates struct {
	told  time.Time     // the latest date of a reading, by the node; zero before the first of a worker
	heard time.Time     // when it was last read
	ahead time.Duration // by how much our clock is ahead, as far as is known; less than zero for one that is behind
}

// learn takes the date of a reading.
func (d *dates) learn(at, now time.Time) {
	if d.ahead < 0 && at.Add(maxAhead).Before(d.told) { // it was set back
		d.forget()
	}
	switch {
	case at.Sub(now) > maxAhead && at.Add(d.ahead).After(now):
		d.ahead = now.Sub(at)
	case at.Add(d.ahead).After(now): // our clock was set back, or it is another node
		d.ahead = max(0, now.Sub(at))
	case !d.told.IsZero() && at.After(d.told) && at.Add(d.ahead).Before(d.heard):
		d.ahead = d.heard.Sub(at)
	}
	if d.heard = now; at.After(d.told) { // what comes out of order is not newer
		d.told = at
	}
}

// forget takes that the next reading may be dated by another clock. That one is ahead is found out at once, and that
// ours is ahead only as it goes on.
func (d *dates) forget() { d.told, d.ahead = time.Time{}, max(0, d.ahead) }

// ours is a date by our clock; zero stays so.
func (d *dates) ours(at time.Time) time.Time {
	if at.IsZero() {
		return at
	}
	return at.Add(d.ahead)
}
