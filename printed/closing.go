package printed

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
)

type closing struct {
	words  uint64
	epoch  float64
	lines  int  // of this epoch
	whole  bool // which was seen from its beginning
	once   bool // the epoch before had one, from its beginning to its end
	within bool // there were many of an epoch
}

// over says whether the epoch is over that a piece names. Begins says that no part of the first that is named was
// missed.
func (r *closings) over(s *seen, begins bool) bool {
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
	c.within = c.within || c.lines > mostAlike
	return !c.within && (c.once || s.has(ended))
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
