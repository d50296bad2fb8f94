package elastic

import "slices"

// state is what a job is at when a reservation begins.
type state struct {
	from Seconds
	size Workers
	busy Seconds
	left Work
}

// at is what a job is at now; or when it may begin, if it waits for others.
func (j *trainee) at(now Seconds) state {
	return state{j.notBefore(now), j.Workers, j.BusyUntil, j.todo}
}

// reserve finds the thriftiest way to meet the deadline of a job with what the timeline has left,
// and takes it.
func (t *timeline) reserve(j *trainee) bool {
	var spans []Span
	if t.reaches(j) {
		if spans = t.steady(j, j.at(t.at[0])); spans == nil {
			spans = t.varied(j)
		}
	}
	t.hold(j, spans)
	return spans != nil
}

// reserveAfter is reserve for a job that first has some size for as long as that keeps it busy. If
// it changes again before it is done with that, it is no later than if it had waited.
func (t *timeline) reserveAfter(j *trainee, size Workers, busy Seconds) bool {
	now := t.at[0]
	busy = max(busy, now)
	if !t.has(j.queue, now, busy, j.need(size)) {
		return false
	}
	left := j.todo
	if size != j.Workers {
		left += j.loses(j.Workers, left)
	}
	return t.reserveThen(j, state{busy, size, busy, left})
}

// reserveFrom is reserve for a job that first trains on with the size that it has, until some moment or its end.
func (t *timeline) reserveFrom(j *trainee, until Seconds) bool {
	now, is := t.at[0], j.size(j.Workers)
	begins := max(now, j.BusyUntil)
	end := begins + j.lasts(is, j.todo)
	if !t.has(j.queue, now, min(until, end), j.need(j.Workers)) {
		return false
	}
	if end > until {
		return t.reserveThen(j, state{until, j.Workers, until, j.todo - Work(until-begins)*Work(is.Speed)})
	}
	if end > j.due() {
		return false
	}
	t.hold(j, []Span{{now, end, j.Workers}})
	return true
}

// reserveThen has a job keep until some moment the size that it has by then, and reserves the rest from there.
func (t *timeline) reserveThen(j *trainee, is state) bool {
	now := t.at[0]
	spans := t.steady(j, is)
	if spans == nil || spans[0].From <= now && spans[0].Workers > is.size {
		return false
	}
	if spans[0].From == is.from && spans[0].Workers == is.size {
		spans[0].From = now
	} else if is.from > now {
		spans = append([]Span{{now, is.from, is.size}}, spans...)
	}
	t.hold(j, spans)
	return true
}

// hold makes spans the reservation of a job.
func (t *timeline) hold(j *trainee, spans []Span) {
	j.spans, j.planned = spans, spans != nil
	for _, s := range spans {
		t.take(j.queue, s.From, s.To, j.need(s.Workers))
	}
}

// holdIfFree makes spans the reservation of a job that has none, if there is room for them.
func (t *timeline) holdIfFree(j *trainee, spans []Span) bool {
	if !(load{t}).hasAll(j, spans) {
		return false
	}
	t.hold(j, spans)
	return true
}

// release gives the reservation of a job back: then it has none.
func (t *timeline) release(j *trainee) {
	for _, s := range j.spans {
		t.take(j.queue, s.From, s.To, -j.need(s.Workers))
	}
	j.spans, j.planned = nil, false
}

// steady is one size, held from some moment until the work is done: the one that takes the least GPU time, with what
// a change costs.
func (t *timeline) steady(j *trainee, is state) []Span {
	redone := is.left + j.loses(is.size, is.left)
	present := j.size(is.size)
	trains := func() []Span {
		spans := t.window(j, is, &present, redone)
		if spans != nil && !slices.ContainsFunc(j.thrifty, withWorkers(is.size)) && spans[0].From > is.from {
			return nil // a size that is slower than a smaller one may do, as long as it is not given up
		}
		return spans
	}
	tried := present.Speed <= 0
	for i := range j.thrifty {
		stays := j.thrifty[i].Workers == is.size
		if !tried && (stays || !j.saves(&j.thrifty[i], redone, &present, is.left)) {
			tried = true
			if spans := trains(); spans != nil {
				return spans
			}
		}
		if stays {
			continue
		}
		if spans := t.window(j, is, &j.thrifty[i], redone); spans != nil {
			return spans
		}
	}
	if tried {
		return nil
	}
	return trains()
}

// saves says whether a change to some size saves GPU time, if all is redone that it loses.
func (j *trainee) saves(size *Size, redone Work, present *Size, left Work) bool {
	return float64(j.need(size.Workers))*float64(j.Pause+j.lasts(*size, redone)) <
		float64(j.need(present.Workers))*float64(j.lasts(*present, left))
}

// window is the first span in which a job could do all its work at one size, with what is redone after a change.
func (t *timeline) window(j *trainee, is state, size *Size, redone Work) []Span {
	begin := is.from
	change := j.Pause + j.lasts(*size, redone)
	length := change
	if is.size == size.Workers {
		length = max(is.busy-begin, 0) + j.lasts(*size, is.left)
	}
	need := j.need(size.Workers)
	for i := t.segment(begin); i < len(t.at); i++ {
		if begin+length > j.due() {
			return nil
		}
		if t.room(j.queue, i) < need {
			begin = t.end(i)
			length = change
			continue
		}
		if end := begin + length; end <= t.end(i) {
			return []Span{{begin, end, size.Workers}}
		}
	}
	return nil
}
