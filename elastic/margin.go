package elastic

// hasMargin says that a job would be in time even if it were slower than the pessimistic end of its estimate, by as
// much as that is below the middle: with some size that it has, if there were room. A promise is given once, but asked
// for at every plan, each with another estimate, and among many there is one that is too good. Where the job can grow,
// a promise stands that. Where no size is faster, there is nothing that would help it, and so it is not promised.
func (p *pool) hasMargin(j *trainee) bool {
	slower := *j
	slower.counted = j.useful(func(s Size) Speed {
		if s.Speed == 0 {
			return 0
		}
		return s.Speed * s.Speed / max(s.Speed, s.Expected)
	})
	if len(slower.counted) == 0 {
		return false
	}
	slower.derive()
	return p.empty.steady(&slower, slower.at(p.now)) != nil
}
