package printed

// closings remember lines that name an epoch beside a result and other counters, by their words: one of them an epoch
// tells that it is over, several are of what goes on within it.
type closings struct {
	all  [mostClosings]closing
	next int
}

// mostClosings are how many kinds of such lines are remembered.
const mostClosings = 4

type closing struct {
	words uint64
	epoch float64
	lines int  // of this epoch
	once  bool // the epoch before had one
}

// over says whether the epoch is over that a piece names.
func (r *closings) over(s *seen) bool {
	if !s.has(mayEnd) {
		return s.has(ended)
	}
	var c *closing
	for i := range r.all {
		if r.all[i].words == s.closes {
			c = &r.all[i]
		}
	}
	if c == nil {
		c = &r.all[r.next]
		r.next = (r.next + 1) % mostClosings
		*c = closing{words: s.closes, epoch: s.epoch.Done}
	}
	if c.epoch != s.epoch.Done {
		c.once, c.lines, c.epoch = c.lines == 1, 0, s.epoch.Done
	}
	c.lines++
	return c.once
}
