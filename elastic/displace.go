package elastic

import "slices"

// victim is a job that gives workers back to make room for another.
type victim struct {
	*trainee
	had, keeps Workers
	nodes      []string
	because    Reason
}

// makeRoom takes back what others have beyond their reservations, for the good of a planned job, the one at some place
// in the order of rank: all of them shrink before the first is stopped. A promise has the GPUs of mere plans, too.
// What is not needed after all goes back to where it was, and if it is all in vain, nothing is taken.
func (p *pool) makeRoom(l *layout, at int) bool {
	needy := p.order[at]
	count := needy.gets - needy.Workers
	if refused, ok := p.refused[needy.manner()]; !needy.planned || ok && count >= refused {
		return false
	}
	var victims []victim
	room := l.roomFor(needy)
	givers := p.givers(at)
	for _, least := range p.leastSizes(needy.promise) {
		for _, j := range slices.Backward(givers) {
			if room >= count {
				break
			}
			v, gives := p.takeFrom(j, least(j))
			if !gives {
				continue
			}
			for _, node := range v.nodes {
				free := l.free[l.index[node]]
				room += Workers((free+j.gpus)/needy.gpus - free/needy.gpus)
				l.hold(j, l.index[node], -1)
			}
			if needy.mayBeOn != nil || needy.appetite != nil { // it may have no use for what is given back there
				room = l.roomFor(needy)
			}
			victims = append(victims, v)
		}
	}
	made := room >= count && l.add(needy, count)
	if !made {
		p.refused[needy.manner()] = count
	}
	for _, v := range p.returnUnused(l, victims) {
		p.unplan(v)
	}
	return made
}

// displace finds nodes for a job with a promise where its workers are not in the way of other promises, though others
// are there that have none: these make way. So it is where it was foreseen to be when the promise was made.
func (p *pool) displace(l *layout, at int, size Workers) bool {
	j := p.order[at]
	var victims []victim
	for _, other := range slices.Backward(p.givers(at)) {
		v, gives := p.takeFrom(other, p.owedForGood(other))
		if !gives {
			continue
		}
		l.letGo(v.trainee, v.nodes)
		victims = append(victims, v)
	}
	found := len(victims) > 0 && l.allOrNone(j, func() bool { return l.add(j, size-j.Workers) && p.promisesStand() })
	for _, v := range p.returnUnused(l, victims) {
		// its GPUs stay reserved: it starts upon other nodes next, and nobody grows into them before
		v.planned, v.spans = false, nil
	}
	return found
}

// takeFrom takes workers from a job that has more than some size, whose nodes are not free yet.
func (p *pool) takeFrom(j *trainee, to Workers) (v victim, gives bool) {
	kept := min(j.gets, j.Workers)
	if to >= kept {
		return v, false
	}
	v = victim{j, j.gets, to, j.On[to:kept], j.reason}
	p.give(j, to, SmallestSize)
	return v, true
}

// returnUnused lets victims have what nobody has taken after all. Some have less now than was planned for them.
func (p *pool) returnUnused(l *layout, victims []victim) (short []*trainee) {
	for _, v := range slices.Backward(victims) {
		if v.gets == v.keeps && l.back(v.trainee, v.nodes) {
			p.give(v.trainee, v.had, v.because)
		}
	}
	for _, v := range victims {
		if v.gets < p.owed(v.trainee) {
			short = append(short, v.trainee)
		}
	}
	return short
}
