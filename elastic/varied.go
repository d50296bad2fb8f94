package elastic

// varied is a reservation that takes at every moment what there is, up to some size: for a job that
// cannot be met by one size alone.
func (t *timeline) varied(j *trainee) []Span {
	if j.Uninterruptible {
		return nil
	}
	for _, most := range j.thrifty {
		if spans := t.climb(j, most.Workers); spans != nil {
			return spans
		}
	}
	return nil
}

// reaches says whether the job could do its work in time if changes of size cost nothing. It saves the
// search for a reservation where there is none to be found.
func (t *timeline) reaches(j *trainee) bool {
	left := float64(j.todo) * (1 - 1e-9)
	for i, at := range t.at {
		if at = j.notBefore(at); at >= j.due() {
			return false
		}
		if at >= t.end(i) {
			continue
		}
		left -= float64(min(t.end(i), j.due())-at) * float64(j.largest(t.room(j.queue, i)).Speed)
		if left <= 0 {
			return true
		}
	}
	return false
}

func (t *timeline) climb(j *trainee, most Workers) []Span {
	var spans []Span
	left, size, ready := j.todo, j.size(j.Workers), j.BusyUntil
	for i, at := range t.at {
		if at = j.notBefore(at); at >= j.due() {
			return nil
		}
		if at >= t.end(i) {
			continue
		}
		best := j.largest(min(j.need(most), t.room(j.queue, i)))
		if best.Workers > size.Workers && size.Speed > 0 && !t.pays(j, i, size, best, left) {
			best = size
		}
		if best.Workers != size.Workers {
			left += j.loses(size.Workers, left)
			size, ready = best, at+j.Pause
		}
		if size.Workers == 0 {
			continue
		}
		end, trains := min(t.end(i), j.due()), max(at, ready)
		over := trains + j.lasts(size, left)
		spans = appendSpan(spans, Span{at, min(end, over), size.Workers})
		if over <= end {
			return spans
		}
		left -= Work(max(0, float64(end-trains)) * float64(size.Speed))
	}
	return nil
}

// appendSpan adds a span, as part of the one before it if that goes on.
func appendSpan(spans []Span, s Span) []Span {
	if n := len(spans); n > 0 && spans[n-1].To == s.From && spans[n-1].Workers == s.Workers {
		spans[n-1].To = s.To
		return spans
	}
	return append(spans, s)
}

// pays says whether a larger size makes up for the pause, for as long as it can be had.
func (t *timeline) pays(j *trainee, segment int, size, larger Size, left Work) bool {
	begin := t.at[segment]
	over := min(j.due(), begin+j.Pause+j.lasts(larger, left+j.loses(size.Workers, left)))
	end := begin
	for i := segment; i < len(t.at) && end < over && t.room(j.queue, i) >= j.need(larger.Workers); i++ {
		end = t.end(i)
	}
	end = min(end, over)
	gained := Work(float64(end-begin-j.Pause)*float64(larger.Speed)) - j.loses(size.Workers, left)
	return gained > Work(float64(end-begin)*float64(size.Speed))
}
