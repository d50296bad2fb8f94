package printed

// looped learns whether a bar counts epochs that does not say so: it names an epoch of its own count each time.
type looped struct {
	total, done float64 // of the last such bar
	epoch       float64 // that stood before it
	alike       int     // how often in a row it went on like that
}

// oftenAlike is how often a bar goes on like that until it is taken for one of epochs.
const oftenAlike = 3

// countEpochs says whether a bar counts epochs, and takes its count for theirs then.
func (b *looped) countEpochs(s *seen) bool {
	if s.loop || s.epoch == nil || s.epoch.Total > 0 || s.batch == nil || s.batch.Total <= 1 {
		return false
	}
	c := *s.batch
	if b.total != c.Total || c.Done < b.done {
		*b = looped{total: c.Total, done: c.Done}
	}
	if c.Done > b.done {
		apart := c.Done - s.epoch.Done
		if b.alike++; s.epoch.Done == b.epoch || apart < -1 || apart > 1 {
			b.alike = 0
		}
		b.done = c.Done
	}
	b.epoch = s.epoch.Done
	if b.alike < oftenAlike {
		return false
	}
	s.epoch, s.batch = &c, nil
	return true
}

// takeResults takes a bar for that of the epochs which has other words before it since an evaluation, such as its
// results: it counts up to as many, and stands where that did or at the next. Bars of anything else are drawn below it.
func (r *Reader) takeResults(s *seen) {
	c, e := s.results, &r.epochs
	if c == nil && s.bar && r.below {
		c = s.step
	}
	if c != nil && e.loop && !s.nested && c.Total == e.Total && (c.Done == e.Done || c.Done == e.Done+1) {
		s.epoch, s.step, s.loop, s.mark = c, nil, true, fromZero|partly
	}
}
