package printed

// closings remember lines that name an epoch beside a result, by their words: whether one of them comes in an epoch,
// and tells its end, or several do.
type closings struct {
	all  [mostClosings]closing
	next int
}

// mostClosings are how many kinds of such lines are remembered.
const mostClosings = 4

type closing struct {
	words  uint64
	text   Count // the numbers beside it: the same line may be printed by several processes
	epoch  float64
	once   bool // one came in an epoch, and the next in another
	within bool // several came in an epoch
}

// over says whether the epoch is over that a line names. Within says that lines like it come several times in an epoch.
func (r *closings) over(s *seen) (over, within bool) {
	if s.closes == 0 {
		return false, false
	}
	var beside Count
	if s.step != nil {
		beside.Done = s.step.Done
	}
	if s.whole != nil {
		beside.Total = s.whole.Done
	}
	var c *closing
	for i := range r.all {
		if r.all[i].words == s.closes {
			c = &r.all[i]
		}
	}
	switch {
	case c == nil:
		c = &r.all[r.next]
		*c = closing{words: s.closes}
		r.next = (r.next + 1) % mostClosings
	case c.epoch != s.epoch.Done:
		c.once = c.once || !c.within
	case s.has(ended) || c.text != beside:
		c.within = true
	}
	c.epoch, c.text = s.epoch.Done, beside
	return !c.within && (s.has(ended) || c.once), c.within
}
