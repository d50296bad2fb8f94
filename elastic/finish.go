package elastic

import (
	"math"
	"slices"
)

// finish is when a job is finished at some pace, if anybody can tell: as it is planned, or with the size
// that it has now where that is sooner, or where it stays so beside its plan. What people are told of its end, and of
// the time that it has to spare, is this and nothing else.
func (p *pool) finish(j *trainee, is pace) *Seconds {
	if !j.known() {
		return nil
	}
	end := p.finishAsItIs(j, is)
	if !p.staysBesidePlan(j) {
		end = min(end, p.finishAsPlanned(j, is))
	}
	if end >= forever {
		return nil
	}
	return &end
}

// staysBesidePlan says that a job keeps a size that its plan does not count on, and so would give up for another in a
// moment, however often it is made anew: that is not worth what it costs, and the job is in time as it is.
func (p *pool) staysBesidePlan(j *trainee) bool {
	return j.planned && j.gets > 0 && j.gets == j.Workers && !j.sure(j.gets) &&
		p.finishAsItIs(j, slowest) <= *j.aim
}

// finishAsItIs is when a job is finished with the size that it has now; forever if it has none.
func (p *pool) finishAsItIs(j *trainee, is pace) Seconds {
	left, begin := j.todo, max(p.now, j.BusyUntil)
	if j.gets != j.Workers {
		left, begin = left+j.loses(j.Workers, left), p.now+j.Pause
	}
	return begin + is.lasts(j, j.gets, left)
}

// finishAsPlanned is when a job is finished that follows its plan; forever if it has none. A job that is
// slower than the plan counts on goes on at the last size of it.
func (p *pool) finishAsPlanned(j *trainee, is pace) Seconds {
	left, size, until, ready := j.todo, j.Workers, p.now, max(p.now, j.BusyUntil)
	end := forever
	for i, s := range j.spans {
		if s.From > until || s.Workers != size {
			left += j.loses(size, left)
			ready = s.From + j.Pause
		}
		size, until = s.Workers, s.To
		begin := max(s.From, ready)
		if end = begin + is.lasts(j, size, left); end <= s.To || i == len(j.spans)-1 {
			return end
		}
		left -= is.does(j, size, s.To-begin)
	}
	return end
}

// allowFor makes what is told of the end of a job as wide as it has to be for one that turned out otherwise before.
func (o *Outcome) allowFor(off float64, now Seconds) {
	if o.ExpectedEnd == nil || off <= 1 {
		return
	}
	in := *o.ExpectedEnd - now
	if o.EarlyEnd != nil {
		early := min(*o.EarlyEnd, now+in/Seconds(off))
		o.EarlyEnd = &early
	}
	if o.LateEnd != nil {
		late := max(*o.LateEnd, now+in*Seconds(off))
		o.LateEnd = &late
	}
}

// toldFurther is how many times as far from the middle, in logarithms, an end lies that one run in twenty misses as one
// that one in ten does.
const toldFurther = 1.2835

// tell sets what people are told of the end of a job. One that is in time by what plans count on is told to be where it
// could be helped if it took so many times as long: it would get more workers before it was late.
func (o *Outcome) tell(now Seconds, deadline *Seconds, helped func(longer float64) bool) {
	o.Earliest, o.Latest = o.further(o.EarlyEnd, now), o.further(o.LateEnd, now)
	if deadline != nil && o.Latest != nil && *o.LateEnd <= *deadline && *deadline < *o.Latest &&
		helped(float64((*o.Latest-now)/(*o.LateEnd-now))) {
		o.Latest = new(*deadline)
	}
}

// helped says that a job would still be in time if what is left took so many times as long: at a size that it could
// have beside the plans of all others.
func (p *pool) helped(j *trainee, longer float64) bool {
	if j.fixed() {
		return false
	}
	is := j.at(p.now)
	lost := j.loses(is.size, is.left)
	is.left = Work(float64(is.left) * longer)
	could := false
	p.timeline.instead(j, func() bool {
		could = slices.ContainsFunc(j.counted, func(s Size) bool {
			return p.timeline.window(j, is, &s, is.left+lost) != nil
		})
		return false // it is only asked
	})
	return could
}

// further is an end of the estimate as people are told it.
func (o *Outcome) further(end *Seconds, now Seconds) *Seconds {
	if end == nil || o.ExpectedEnd == nil || *o.ExpectedEnd <= now || *end <= now || *end == *o.ExpectedEnd {
		return end
	}
	in := *o.ExpectedEnd - now
	if told := now + in*Seconds(math.Pow(float64((*end-now)/in), toldFurther)); told < forever {
		return &told
	}
	return end
}

// OnTime is the probability that the job is finished by some moment, as far as the ends of the estimate
// tell: of ten runs one is finished before EarlyEnd, and one after LateEnd.
func (o Outcome) OnTime(by Seconds) (probability float64, known bool) {
	if o.ExpectedEnd == nil || o.EarlyEnd == nil {
		return 0, false
	}
	spread := *o.ExpectedEnd - *o.EarlyEnd
	if by >= *o.ExpectedEnd {
		if o.LateEnd == nil {
			return 0, false
		}
		spread = *o.LateEnd - *o.ExpectedEnd
	}
	ahead := by - *o.ExpectedEnd
	if spread <= 0 {
		if ahead >= 0 {
			return 1, true
		}
		return 0, true
	}
	const tenth = 1.2815515655446004 // a tenth of the normal distribution is beyond it
	return 0.5 * math.Erfc(-tenth*float64(ahead/spread)/math.Sqrt2), true
}
