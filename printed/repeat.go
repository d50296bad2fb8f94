package printed

// repeats says that a piece repeats how much there is to do in all, as settings do, such as "epoch: 100" beside
// --epoch=100: its number is that of the last epoch or step, nothing has come near that before, and no result stands
// beside it.
func (r *Reader) repeats(s *seen) bool {
	for _, c := range []*Count{s.epoch, s.batch, s.step, s.whole} {
		if c != nil && c.Total > 0 {
			return false
		}
	}
	all := isAll(s.epoch, r.epochs.whole(0, r.given, r.planned), max(r.epochs.last, r.seen.fraction)) ||
		isAll(s.bare(), firstOf(r.given.Total, r.stepsInAll()), r.seen.step.Done)
	return all && !s.bar && !result.MatchString(s.text)
}

// isAll says that a count is as many as there are in all, and that the last one was far from that.
func isAll(c *Count, all, last float64) bool {
	const near = 0.9
	return c != nil && c.Done == all && all > 1 && last < near*all && last+1 < all
}
