package printed

import "time"

// closings remember lines that name an epoch beside a result, by their words. One of them an epoch, or one of each
// process, tells that it is over; many are of what goes on within it. Where other counters stand beside the result,
// several are of that already.
type closings struct {
	all  [mostClosings]closing
	next int
}

const (
	// mostClosings are how many kinds of such lines are remembered.
	mostClosings = 4
	// mostAlike are how many processes print the same line.
	mostAlike = 16
	// mostApart is how long after each other they do so. Another that comes later is of what goes on.
	mostApart = 10 * time.Second
	// manyAgain is how often lines come long after those before only where they are of what goes on in an epoch.
	manyAgain = 3
)

type closing struct {
	words  uint64
	epoch  float64
	at     time.Time     // when the first line of this epoch came; zero if nobody knows
	took   time.Duration // from that of the epoch before; zero if there was none
	last   time.Time     // when the last of this epoch came
	again  int           // how often lines of this epoch came long after those before
	lines  int           // of this epoch
	whole  bool          // which was seen from its beginning
	once   bool          // the epoch before had one, from its beginning to its end
	within bool          // there were many of an epoch, or such that came while it went on
}

// over says whether the epoch is over that a piece names. Begins says that no part of the first that is named was
// missed.
func (r *closings) over(s *seen, begins bool, at time.Time) bool {
	if s.closes == 0 {
		return s.has(ended)
	}
	c := r.of(s, begins)
	switch now := s.epoch.Done; {
	case now > c.epoch:
		c.once, c.whole, c.lines = c.whole && c.lines == 1, true, 0
	case now < c.epoch && now <= 1: // all of them begin again
		c.whole, c.lines = true, 0
	case now < c.epoch:
		c.once, c.whole, c.lines = false, false, 0
	}
	c.epoch = s.epoch.Done
	c.lines++
	c.within = c.within || c.lines > mostAlike || c.goesOn(at)
	return !c.within && (c.once || s.has(ended))
}

// goesOn says by when lines come that their epoch goes on, though another has named it before: others would print it at
// the same moment, and a training that was started again, maybe with more workers, prints it once more, or twice.
func (c *closing) goesOn(at time.Time) bool {
	if c.lines == 1 {
		c.took, c.again = 0, 0
		if !c.at.IsZero() {
			c.took = at.Sub(c.at)
		}
		c.at, c.last = at, at
		return false
	}
	since := at.Sub(c.at)
	if c.at.IsZero() || since < mostApart {
		return false
	}
	if apart := at.Sub(c.last); apart >= mostApart { // else it is of another process
		c.again++
	}
	c.last = at
	return c.again >= manyAgain || c.again > 1 && 2*since < c.took
}

// of gives what is remembered of lines with the same words.
func (r *closings) of(s *seen, begins bool) *closing {
	for i := range r.all {
		if r.all[i].words == s.closes {
			return &r.all[i]
		}
	}
	c := &r.all[r.next]
	r.next = (r.next + 1) % mostClosings
	*c = closing{words: s.closes, epoch: s.epoch.Done, whole: begins && s.epoch.Done <= 1}
	return c
}
