package elastic

import "container/heap"

// growth is the next size of a job, and what a GPU buys there.
type growth struct {
	job    *trainee
	size   Size
	atRisk bool
	tried  bool    // it is not only hoped to gain
	gain   float64 // speed per GPU that is added, as a part of what a GPU brings at the thriftiest size
}

// grow gives what is left over to those that gain most by it.
func (p *pool) grow() {
	heaps := make([]growths, len(p.tenants))
	for _, j := range p.jobs {
		if g, ok := p.growth(j); ok {
			heaps[j.queue] = append(heaps[j.queue], g)
		}
	}
	for q := range heaps {
		heap.Init(&heaps[q])
	}
	room, decided := p.roomToMeasure(), p.measuredBy()
	for p.free > 0 {
		q, ok := p.turn(func(q int) bool { return len(heaps[q]) > 0 })
		if !ok {
			return
		}
		g := heap.Pop(&heaps[q]).(growth)
		if more := g.job.need(g.size.Workers - g.job.gets); g.size.Workers > g.job.Workers && !g.atRisk && more <= p.free &&
			more > p.free-room {
			g.job.hindrance = Brief
			p.wake = min(p.wake, decided)
			continue
		}
		if p.offer(g.job, g.size.Workers, FreeGPUs) {
			if g, ok := p.growth(g.job); ok {
				heap.Push(&heaps[q], g)
			}
		}
	}
}

// growth is the next step of a job, if it would be worth its while.
func (p *pool) growth(j *trainee) (growth, bool) {
	if j.gets == 0 || !j.measured {
		return growth{}, false
	}
	next, ok := j.next(j.gets)
	if !ok || j.guessed(next.Workers) || j.Uninterruptible && (j.planned || next.Workers > j.Written) ||
		j.needNotGrow(next) && !p.gainsEnough(j, next) || next.Workers > j.Workers && p.keeps(j) {
		return growth{}, false
	}
	now, more, thriftiest := j.size(j.gets), float64(j.need(next.Workers-j.gets)), j.thrifty[0]
	gain := float64(next.hoped()-now.hoped()) / more /
		(float64(thriftiest.Expected) / float64(j.need(thriftiest.Workers)))
	return growth{j, next, j.atRisk(), next.Expected > now.Expected, gain}, true
}

// needNotGrow says that a job would grow beyond the size that it has, and may as well keep that or go back to a smaller
// one. One that has just turned out to be slower with more workers goes back: what it hopes of still more is a guess,
// and has to be worth a change.
func (j *trainee) needNotGrow(next Size) bool {
	return j.gets <= j.Workers && next.Workers > j.Workers
}

// guessed says that a job is neither written for a size nor has it, and that what it would gain by it is a guess:
// what a change costs is none. Where its deadline is at risk, it takes what it can get.
func (j *trainee) guessed(size Workers) bool {
	ample := j.Workers
	if ample == 0 {
		ample = j.Written
	}
	return j.Doubted && size > ample && !j.atRisk()
}

// atRisk says that the job can still meet its deadline, but is not sure to.
func (j *trainee) atRisk() bool { return j.mayBeInTime() && !j.planned }

// gainsEnough says whether a job that need not change its size gains enough by it. It earns back a pause
// by training faster afterwards; it must have the time to do so several times over. And it must have
// trained for a while since its last change, so that sizes do not flap.
func (p *pool) gainsEnough(j *trainee, next Size) bool {
	now := j.size(j.gets)
	faster := float64(next.hoped() - now.hoped())
	if faster <= 0 {
		return false
	}
	if !p.earnsBack(j, next, next.hoped()-now.hoped()) {
		j.hindrance = NotWorthIt
		return false
	}
	if until := p.coolsUntil(j); until > p.now && !j.atRisk() {
		j.hindrance = Cooldown
		p.wake = min(p.wake, until)
		return false
	}
	// Work that would be lost now is saved soon: waiting for that costs less. A checkpoint is heard of a
	// while after it was made: that while is part of right after it, or the next would be waited for each
	// time.
	const fresh = 0.25
	lost := j.loss(p.now)
	stale := lost > fresh*(j.SavesAt-j.SavedAt)
	if wait := j.SavesAt - p.now; wait > 0 && stale && float64(wait)*faster < float64(lost)*float64(now.Expected) {
		j.hindrance = CheckpointSoon
		p.wake = min(p.wake, j.SavesAt)
		return false
	}
	return true
}

// coolsUntil is for how long a job trains after a resize before it grows into what is merely free.
func (p *pool) coolsUntil(j *trainee) Seconds {
	return j.BusyUntil + Seconds(p.settings.Cooldown)*j.Pause
}

// earnsBack says whether a job has the time to earn back several times over what a change to a size costs it,
// where it is faster by so much.
func (p *pool) earnsBack(j *trainee, to Size, by Speed) bool {
	lost := j.loss(p.now)
	if j.UnknownWork { // nothing says that it would ever make up for all that it has done
		return !j.Unsaved || lost <= j.Pause
	}
	earned := Seconds(float64(to.hoped())/float64(by)) * (j.Pause + lost)
	trains := Seconds(float64(j.todo) / float64(max(to.Speed, to.Untried)))
	return trains >= Seconds(p.settings.Payback)*earned
}

// growths is a heap with the one on top that goes first.
type growths []growth

func (h growths) Len() int           { return len(h) }
func (h growths) Less(a, b int) bool { return byGain.compare(&h[a], &h[b]) < 0 }
func (h growths) Swap(a, b int)      { h[a], h[b] = h[b], h[a] }
func (h *growths) Push(x any)        { *h = append(*h, x.(growth)) }

// Pop takes off the last, as container/heap asks for.
func (h *growths) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
