package elastic

import (
	"cmp"
	"maps"
	"slices"
)

// Plan decides on the size of every job of a snapshot that has passed its Check.
//
// Acting on it and planning again at the same moment gives the same sizes. Where a job is at risk,
// or new workers did not fit on the nodes, that takes more than one try: what others are given, or have
// given back, may open a way for it. A way that is open to jobs that have just been resized is open to
// the same jobs as they are.
func Plan(s Snapshot) Decision {
	const tries = 4
	d, settled := decide(s)
	then, ok := s.after(d)
	for try := 0; try < tries && ok && !settled; try++ {
		var again Decision
		again, settled = decide(then)
		same := slices.EqualFunc(d.Jobs, again.Jobs, func(a, b Outcome) bool {
			return a.Workers == b.Workers && a.Promised == b.Promised && a.Verdict == b.Verdict
		})
		if same {
			break
		}
		if then, ok = s.after(again); !ok {
			break
		}
		for i := range again.Jobs { // why a size was changed, not why it is then kept
			if was, o := d.Jobs[i], &again.Jobs[i]; o.Workers == was.Workers && o.Workers != s.Jobs[i].Workers {
				o.Reason, o.Why = was.Reason, was.Why
			}
		}
		d = again
	}
	d.Resizes = resizes(s.Jobs, d.Jobs)
	return d
}

// decide is one try. It is settled if there is nothing that another try may find.
func decide(s Snapshot) (d Decision, settled bool) {
	settings := s.Settings
	settings.PromiseShare = cmp.Or(settings.PromiseShare, 1.0/3)
	settings.Payback = cmp.Or(settings.Payback, 10)
	settings.Cooldown = cmp.Or(settings.Cooldown, 2)

	pools := map[string]*pool{}
	at := func(name string) *pool {
		if pools[name] == nil {
			pools[name] = &pool{name: name, now: s.Now, settings: settings, wake: forever}
		}
		return pools[name]
	}
	for _, n := range s.Nodes {
		p := at(n.Pool)
		p.nodes = append(p.nodes, n)
	}
	for _, d := range s.Demands {
		at(d.Pool).demand += d.GPUs
	}
	for _, q := range s.Queues {
		p := at(q.Pool)
		p.tenants = append(p.tenants, tenant{Queue: q})
	}
	jobs := make([]*trainee, len(s.Jobs))
	type kind struct {
		pool string
		gpus GPUs
	}
	most := map[kind]Workers{}
	for i, job := range s.Jobs {
		p := at(job.Pool)
		k := kind{job.Pool, max(job.GPUsPerWorker, 1)}
		if _, ok := most[k]; !ok {
			most[k] = p.most(k.gpus)
		}
		jobs[i] = newTrainee(job, most[k])
		p.jobs = append(p.jobs, jobs[i])
	}

	d, settled = Decision{Jobs: make([]Outcome, len(jobs))}, true
	wake := forever
	for _, name := range slices.Sorted(maps.Keys(pools)) {
		p := pools[name]
		p.plan()
		wake = min(wake, p.wake)
		settled = settled && !p.reduced
	}
	for i, j := range jobs {
		d.Jobs[i] = pools[j.Pool].outcome(j)
		settled = settled && d.Jobs[i].Verdict != AtRisk
	}
	if wake < forever {
		d.Wake = &wake
	}
	return d, settled
}

// pool is the plan for GPUs of one kind, which jobs share.
type pool struct {
	name     string
	now      Seconds
	settings Settings
	nodes    []Node
	demand   GPUs
	tenants  []tenant
	jobs     []*trainee

	total    GPUs // those that jobs may have
	common   GPUs // those of them that no queue is guaranteed
	shares   []share
	moments  []Seconds // where the segments of timelines begin, if these are coarse
	timeline *timeline
	planned  []*trainee // those with a reservation, in deadline order

	order []*trainee // by their claim on what is left over
	free  GPUs       // what is left for the present
	// layout is where workers are, once all are placed; and refused, by the GPUs of a worker, how many
	// workers there is no room for, whatever others give back.
	layout  *layout
	reduced bool // something did not fit on the nodes
	refused map[GPUs]Workers

	wake Seconds // when to plan again
}

func (p *pool) plan() {
	p.divide()
	p.measureTime()
	var promised, newcomers []*trainee
	empty := newTimeline(p.common, p.shares, p.moments[:1])
	for _, j := range p.jobs {
		if j.Deadline == nil || !j.known() {
			continue
		}
		alone := func() bool { return empty.steady(j, j.at(p.now)) != nil }
		for !alone() && !j.doomed {
			j.doomed = !j.hope()
		}
		switch {
		case j.doomed, j.hopeful && j.OnlyPromised && j.Workers == 0: // a hope is no promise
		case j.Promised:
			promised = append(promised, j)
		default:
			newcomers = append(newcomers, j)
		}
	}
	p.timeline = newTimeline(p.common, p.shares, p.moments)
	p.keepPromises(promised)
	p.admit(newcomers)
	p.spread()
	p.place()
	for _, j := range p.jobs {
		for _, s := range j.spans {
			if s.From > p.now {
				p.wake = min(p.wake, s.From)
				break
			}
		}
	}
}

// divide finds what every queue may have.
func (p *pool) divide() {
	for _, n := range p.nodes {
		p.total += n.GPUs
	}
	p.total = max(p.total-p.demand, 0)
	p.free, p.common = p.total, p.total
	index := map[string]int{}
	for i, t := range p.tenants {
		index[t.Name] = i
	}
	for _, j := range p.jobs {
		if _, ok := index[j.Queue]; !ok {
			index[j.Queue] = len(p.tenants)
			p.tenants = append(p.tenants, tenant{Queue: Queue{Name: j.Queue}})
		}
		j.queue = index[j.Queue]
	}
	guaranteed := GPUs(0)
	for i := range p.tenants {
		t := &p.tenants[i]
		t.share = share{guaranteed: t.Guaranteed, limit: p.total, borrows: !t.NoBorrowing}
		if t.Limit != nil {
			t.limit = min(*t.Limit, p.total)
		}
		t.guaranteed = min(t.guaranteed, t.limit)
		guaranteed += t.guaranteed
	}
	for i := range p.tenants {
		t := &p.tenants[i]
		if guaranteed > p.total { // there are fewer GPUs than were given away
			t.guaranteed = t.guaranteed * p.total / guaranteed
		}
		p.shares = append(p.shares, t.share)
		p.common -= t.guaranteed
	}
}

// most is the number of workers of some size that the nodes have room for.
func (p *pool) most(gpus GPUs) Workers {
	most := Workers(0)
	for _, n := range p.nodes {
		most += Workers(n.GPUs / gpus)
	}
	return most
}

// measureTime makes timelines coarse when there are so many jobs that exact ones would be slow.
func (p *pool) measureTime() {
	const many = 512
	p.moments = []Seconds{p.now}
	var deadlines []Seconds
	for _, j := range p.jobs {
		if j.Deadline != nil && j.due() > p.now {
			deadlines = append(deadlines, *j.Deadline)
		}
	}
	if len(deadlines) <= many {
		return
	}
	slices.Sort(deadlines)
	for i := range many {
		p.moments = append(p.moments, deadlines[(i+1)*len(deadlines)/many-1])
	}
	p.moments = slices.Compact(p.moments)
}
