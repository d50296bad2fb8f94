package elastic

import (
	"container/heap"
	"slices"
)

// starts is when a job that waits is to start: as it is planned, or as is foreseen; absent if nobody can tell.
func (p *pool) starts(j *trainee) *Seconds {
	switch {
	case j.gets > 0:
		return nil
	case j.planned && len(p.behind(j)) > 0:
		return nil
	case j.planned && j.spans[0].From > p.now:
		return new(j.spans[0].From)
	case j.waits():
		return j.starts
	case !p.waitsForRoom(j):
		return nil
	}
	if !p.foreseen {
		p.foresee()
	}
	return j.starts
}

// waitsForRoom says that a job without a plan starts as soon as enough GPUs are given back.
func (p *pool) waitsForRoom(j *trainee) bool {
	if j.planned {
		return false
	}
	reason := j.reasonFor(p)
	return reason == NoRoom || reason == QueueFull
}

// foresee finds when those start that wait for room, each with its smallest size, if all others end when they are
// expected to, or start and end as they are planned, and nobody comes before them. It looks at how many GPUs there are,
// not on which nodes.
func (p *pool) foresee() {
	p.foreseen = true
	waiting, some := make([][]*trainee, len(p.tenants)), false
	for _, j := range p.order {
		if j.gets == 0 && p.waitsForRoom(j) {
			waiting[j.queue], some = append(waiting[j.queue], j), true
		}
	}
	if !some {
		return
	}
	then := pool{tenants: slices.Clone(p.tenants)}
	coming, free := p.coming(), p.free
	fits := func(q int) bool {
		return len(waiting[q]) > 0 && waiting[q][0].least() <= min(free, then.tenants[q].room())
	}
	for len(coming) > 0 {
		at := coming[0].at
		for len(coming) > 0 && coming[0].at == at {
			next := heap.Pop(&coming).(givenBack)
			free += next.gpus
			then.tenants[next.queue].used -= next.gpus
		}
		for q, some := then.turn(fits); some; q, some = then.turn(fits) {
			j := waiting[q][0]
			j.starts, waiting[q] = new(max(at, p.now)), waiting[q][1:]
			free -= j.least()
			then.tenants[q].used += j.least()
			if end := at + j.Pause + middle.lasts(j, j.counted[0].Workers, j.todo); j.known() && end < forever {
				heap.Push(&coming, givenBack{end, j.least(), q})
			}
		}
	}
}

// least is how many GPUs a job takes at its smallest size.
func (j *trainee) least() GPUs { return j.need(j.counted[0].Workers) }

// givenBack are GPUs that a job of a queue gives back at a moment; or takes, where they are below 0.
type givenBack struct {
	at    Seconds
	gpus  GPUs
	queue int
}

// coming are those of all jobs that run, or are planned for.
func (p *pool) coming() (coming comingNext) {
	for j := range p.all {
		gpus := j.need(j.gets)
		if j.gets == 0 && j.planned {
			gpus = j.need(j.spans[0].Workers)
			coming = append(coming, givenBack{j.spans[0].From, -gpus, j.queue})
		}
		if end := p.finish(j, middle); end != nil && gpus > 0 && !j.overruns() {
			coming = append(coming, givenBack{*end, gpus, j.queue})
		}
	}
	heap.Init(&coming)
	return coming
}

// comingNext is a heap of them, the next one first.
type comingNext []givenBack

func (c comingNext) Len() int           { return len(c) }
func (c comingNext) Less(i, k int) bool { return c[i].at < c[k].at }
func (c comingNext) Swap(i, k int)      { c[i], c[k] = c[k], c[i] }
func (c *comingNext) Push(x any)        { *c = append(*c, x.(givenBack)) }
func (c *comingNext) Pop() any {
	last := len(*c) - 1
	x := (*c)[last]
	*c = (*c)[:last]
	return x
}
