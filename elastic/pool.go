package elastic

import "slices"

// pool is the plan for GPUs of one kind, which jobs share.
type pool struct {
	now      Seconds
	settings Settings
	eager    bool // for trials, whatever they cost others
	nodes    []Node
	demand   GPUs
	tenants  []tenant
	jobs     []*trainee

	total  GPUs // those that jobs may have
	common GPUs // those of them that no queue is guaranteed
	shares []share
	// The same for promises, which count on nothing that a queue is guaranteed, though it does not ask for it now.
	secureShares []share
	secureCommon GPUs
	moments      []Seconds // where the segments of timelines begin, if these are coarse
	timeline     *timeline
	// sure is what is promised, or held for good: it counts on nothing that another queue is guaranteed. lent is how many
	// promises do so all the same.
	sure    load
	lent    int
	planned []*trainee // those with a reservation, in deadline order
	held    []*trainee // those for which what they have is reserved, planned or not
	goOn    []*trainee // those of which nothing is known that go on as they are, unless a promise needs their GPUs
	spoken  GPUs       // what those that run without one have at their smallest sizes

	order []*trainee // by their claim on what is left over
	free  GPUs       // what is left for the present
	loose GPUs       // what those are given for the present for whom nothing is reserved
	// layout is where workers are, once all are placed; and refused, by the GPUs of a worker, how many
	// workers there is no room for, whatever others give back.
	layout  *layout
	reduced bool // something did not fit on the nodes
	refused map[GPUs]Workers

	rehearsed int  // what was spent on rehearsals
	upset     bool // promises that were made before do not find their nodes, however they are planned
	astray    bool // not all promises find their nodes, as it is decided now

	holds map[GPUs]Workers // by the GPUs of a worker, how many there is room for

	wake Seconds // when to plan again

	empty *timeline // on which a job is alone
}

func (p *pool) plan() {
	p.divide()
	p.measureTime()
	var promised, newcomers []*trainee
	p.empty = newTimeline(p.common, p.shares, p.moments[:1])
	for _, j := range p.jobs {
		j.finishes()
		j.stake = float64(j.need(j.Workers)) * float64(j.loss(p.now))
		if j.Deadline == nil || !j.known() || j.fixed() {
			continue
		}
		j.stay(p.now)
		alone := func() bool { return p.empty.steady(j, j.at(p.now)) != nil }
		for !alone() && !j.doomed {
			j.doomed = !j.hope()
		}
		switch {
		case j.doomed, j.hopeful() && j.OnlyPromised && !j.Doubted && j.Workers == 0: // a hope is no promise
		case j.Promised:
			promised = append(promised, j)
		default:
			newcomers = append(newcomers, j)
		}
	}
	p.clear()
	p.holdFixed()
	p.keepPromises(promised)
	p.holdUnread()
	p.holdTrials()
	p.admit(newcomers)
	p.tryOut()
	p.spread()
	p.place()
	p.astray = scattered(p.jobs) && !p.promisesStand()
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
	fixed := GPUs(0) // what nobody gives back
	for _, j := range p.jobs {
		if j.fixed() {
			fixed += j.need(j.Workers)
		}
	}
	p.total = max(p.total-p.demand, min(fixed, p.total))
	p.free = p.total
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
	asks := make([]GPUs, len(p.tenants))
	for _, j := range p.jobs {
		most := j.Workers
		if len(j.fit) > 0 {
			most = max(most, j.fit[len(j.fit)-1].Workers)
		}
		asks[j.queue] += j.need(most)
	}
	var guaranteed, now []GPUs
	for i := range p.tenants {
		t := &p.tenants[i]
		t.share = share{limit: p.total, borrows: !t.NoBorrowing}
		if t.Limit != nil {
			t.limit = min(*t.Limit, p.total)
		}
		guaranteed = append(guaranteed, min(t.Guaranteed, t.limit))
	}
	secure := portions(guaranteed, p.total)
	// What a queue is guaranteed and does not ask for goes to those that lack some of theirs.
	spare, lack := GPUs(0), []GPUs(nil)
	for i := range guaranteed {
		now = append(now, min(secure[i], asks[i]))
		spare += secure[i] - now[i]
		lack = append(lack, min(guaranteed[i], asks[i])-now[i])
	}
	p.common, p.secureCommon = p.total, p.total
	for i, more := range portions(lack, spare) {
		t := &p.tenants[i]
		t.guaranteed = now[i] + more
		p.shares = append(p.shares, t.share)
		p.common -= t.guaranteed
		p.secureShares = append(p.secureShares, share{secure[i], t.limit, t.borrows})
		p.secureCommon -= secure[i]
	}
}

// portions are what there is of some claims: all of them, or in proportion.
func portions(claims []GPUs, total GPUs) []GPUs {
	sum := GPUs(0)
	for _, claim := range claims {
		sum += claim
	}
	got := slices.Clone(claims)
	for i := range got {
		if sum > total { // there are fewer GPUs than were given away
			got[i] = claims[i] * total / sum
		}
	}
	return got
}

// most is the number of workers of some size that the nodes have room for.
func (p *pool) most(gpus GPUs) Workers {
	if most, ok := p.holds[gpus]; ok {
		return most
	}
	most := Workers(0)
	for _, n := range p.nodes {
		most += Workers(n.GPUs / gpus)
	}
	if p.holds == nil {
		p.holds = map[GPUs]Workers{}
	}
	p.holds[gpus] = most
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
