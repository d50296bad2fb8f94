package elastic

import "slices"

// divide finds what every queue may have.
func (p *pool) divide() {
	p.count()
	p.joinQueues()
	p.share(p.asks())
}

// count finds how many GPUs all queues may have together.
func (p *pool) count() {
	for _, n := range p.nodes {
		p.total += n.GPUs
	}
	fixed := GPUs(0) // what nobody gives back
	for _, j := range p.jobs {
		if j.fixed() {
			fixed += j.need(j.Workers)
		}
	}
	p.total = max(p.total-p.forOthers, min(fixed, p.total))
	p.free = p.total
}

// joinQueues gives each job its queue. One that nobody has written down has no limit, and nothing is guaranteed to it.
func (p *pool) joinQueues() {
	index := map[string]int{}
	for i, t := range p.tenants {
		index[t.Name] = i
	}
	for j := range p.all {
		if _, ok := index[j.Queue]; !ok {
			index[j.Queue] = len(p.tenants)
			p.tenants = append(p.tenants, tenant{Queue: Queue{Name: j.Queue}})
		}
		j.queue = index[j.Queue]
	}
}

// asks is how many GPUs the jobs of each queue would have at most.
func (p *pool) asks() []GPUs {
	asks := make([]GPUs, len(p.tenants))
	for _, j := range p.jobs {
		most := j.Workers
		if len(j.fit) > 0 {
			most = max(most, j.fit[len(j.fit)-1].Workers)
		}
		asks[j.queue] += j.need(most)
	}
	return asks
}

// share finds what is guaranteed to each queue of what it asks for, and what is left for all.
func (p *pool) share(asks []GPUs) {
	var guaranteed, now []GPUs
	for i := range p.tenants {
		t := &p.tenants[i]
		t.share = share{limit: p.total, mayBorrow: !t.NoBorrowing}
		if t.Limit != nil {
			t.limit = min(*t.Limit, p.total)
		}
		guaranteed = append(guaranteed, min(t.Guaranteed, t.limit))
	}
	secure := p.portions(guaranteed, p.total)
	// What a queue is guaranteed and does not ask for goes to those that lack some of theirs.
	spare, lack := GPUs(0), []GPUs(nil)
	for i := range guaranteed {
		now = append(now, min(secure[i], asks[i]))
		spare += secure[i] - now[i]
		lack = append(lack, min(guaranteed[i], asks[i])-now[i])
	}
	p.common, p.secureCommon = p.total, p.total
	for i, more := range p.portions(lack, spare) {
		t := &p.tenants[i]
		t.guaranteed = now[i] + more
		p.shares = append(p.shares, t.share)
		p.common -= t.guaranteed
		p.secureShares = append(p.secureShares, share{secure[i], t.limit, t.mayBorrow})
		p.secureCommon -= secure[i]
	}
}

// portions are what there is of what the queues ask for: all of it, or in proportion, and what that leaves to those
// whose part of a GPU is the greatest.
func (p *pool) portions(asked []GPUs, total GPUs) []GPUs {
	sum := GPUs(0)
	for _, one := range asked {
		sum += one
	}
	got := slices.Clone(asked)
	if sum <= total {
		return got
	}
	left, fractions := total, make([]fraction, len(asked))
	for i := range got {
		got[i], fractions[i] = asked[i]*total/sum, fraction{i, p.tenants[i].Name, asked[i] * total % sum}
		left -= got[i]
	}
	byFraction.sort(fractions)
	for _, f := range fractions[:left] {
		got[f.at]++
	}
	return got
}

// fraction is the part of a GPU that a queue is short of its portion.
type fraction struct {
	at    int
	queue string
	of    GPUs
}

// workersOnNodes is the number of workers of one job that the nodes have room for.
func (p *pool) workersOnNodes(m manner) Workers {
	if most, ok := p.fits[m]; ok {
		return most
	}
	most := Workers(0)
	for i := range p.nodes {
		most += m.on(&p.nodes[i])
	}
	if p.fits == nil {
		p.fits = map[manner]Workers{}
	}
	p.fits[m] = most
	return most
}

// measureTime makes timelines coarse when there are so many jobs that exact ones would be slow.
func (p *pool) measureTime() {
	const many = 512
	p.moments = []Seconds{p.now}
	var deadlines []Seconds
	for j := range p.all {
		if j.aim != nil && j.due() > p.now {
			deadlines = append(deadlines, *j.aim)
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
