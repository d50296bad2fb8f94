package elastic

import "slices"

// mostRehearsed bounds what a plan spends on rehearsals, in nodes and workers that it looks at; and mostTries how many
// ways it tries for one job, or one set of promises.
const (
	mostRehearsed    = 1 << 18
	mostTriesOnNodes = 16
	manyNodes        = 4096
)

// cue is a moment at which a reservation gives a job another size.
type cue struct {
	at  Seconds
	job *trainee
	to  Workers
}

// rehearse follows the reservations of some jobs on the nodes, from now until the last of them ends, and says whether
// every worker finds its GPUs on one node. Workers stay where they are, and the others go to the fullest nodes that
// have room. Whoever has no reservation is left out: it gives way. If nobody knows where workers are, all is well; and
// so it is taken to be among thousands of nodes, where there is nearly always another, and once a plan has rehearsed as
// much as it may.
func (p *pool) rehearse(jobs []*trainee) bool {
	if len(p.nodes) > manyNodes || p.rehearsed > mostRehearsed {
		return true
	}
	p.rehearsed += p.effort(jobs)
	return p.perform(jobs)
}

// mayRehearseNew says that not all is spent that is for new promises. These are rehearsed among thousands of nodes as
// well, and whatever was spent on others.
func (p *pool) mayRehearseNew() bool {
	return p.rehearsedNew <= max(mostRehearsed/2, mostTriesOnNodes*len(p.nodes)/4)
}

func (p *pool) rehearseNew(jobs []*trainee) bool {
	p.rehearsedNew += p.effort(jobs)
	return p.perform(jobs)
}

// effort is what a rehearsal takes.
func (p *pool) effort(jobs []*trainee) int {
	all := len(p.nodes)
	for _, j := range jobs {
		all += len(j.On) + len(j.spans)
	}
	return all
}

func (p *pool) perform(jobs []*trainee) bool {
	actors, cues := p.script(jobs)
	if l := newLayout(p.nodes, actors); l != nil {
		return l.play(cues, &audition{})
	}
	return true
}

// script has those who stand for the jobs, as they are now, and when each changes its size, in order.
func (p *pool) script(jobs []*trainee) ([]*trainee, []cue) {
	actors, cues := make([]*trainee, len(jobs)), make([]cue, 0, 2*len(jobs))
	for i, j := range jobs {
		a := &trainee{Job: Job{Name: j.Name, Workers: j.Workers + Workers(len(j.added)), On: slices.Concat(j.On, j.added)},
			gpus: j.gpus, mayBeOn: j.mayBeOn, appetite: j.appetite}
		actors[i] = a
		spans := j.spans
		switch {
		case j.fixed() || j.unread:
			spans = []Span{{p.now, j.keptUntil, j.Workers}}
		case j.startsPlaced():
			spans = []Span{{p.now, j.ends(p.now+j.Pause, a.Workers), a.Workers}}
		}
		for k, s := range spans {
			if s.From <= p.now {
				a.gets = min(s.Workers, a.Workers)
			}
			cues = append(cues, cue{s.From, a, s.Workers})
			if k+1 == len(spans) || spans[k+1].From > s.To {
				cues = append(cues, cue{s.To, a, 0})
			}
		}
	}
	byMoment.sort(cues)
	return actors, cues
}

// play makes one change after the other, and says whether all workers find room, but for those that are left out.
func (l *layout) play(cues []cue, a *audition) bool {
	for i := 0; i < len(cues); {
		next := i
		for next < len(cues) && cues[next].at == cues[i].at {
			next++
		}
		for _, c := range cues[i:next] { // first what is given back
			l.shrinkTo(c.job, c.to)
		}
		for _, c := range cues[i:next] {
			switch {
			case a.out[c.job]:
			case c.to <= c.job.gets || l.add(c.job, c.to-c.job.gets) || a.makeRoom(l, c):
				c.job.gets = c.to
			case !a.out[c.job]:
				return false
			}
		}
		i = next
	}
	return true
}

// promiseOnNodes takes back those new promises that would not find their GPUs on nodes.
func (p *pool) promiseOnNodes(newcomers []*trainee) {
	if !scattered(p.jobs) {
		return
	}
	var fresh []*trainee
	for _, j := range newcomers {
		if j.promise && !j.Promised && !j.fixed() {
			fresh = append(fresh, j)
		}
	}
	kept := p.onNodes(p.boundJobs(func(j *trainee) bool { return j.Promised }), fresh)
	for _, j := range fresh {
		if slices.Contains(kept, j) {
			continue
		}
		p.takeBackPromise(j)
		p.withhold(j)
	}
}

// promisesStand says that all promises find their nodes, with what is given to all others for good.
func (p *pool) promisesStand() bool {
	return p.rehearse(p.boundJobs(func(j *trainee) bool { return j.promise }))
}

// startsPlaced says that a job begins for good, and that it has its nodes.
func (j *trainee) startsPlaced() bool { return j.startsForGood() && len(j.added) > 0 }

// boundJobs are the jobs whose reservations stand, whatever others need: the promised ones, and those whose size is
// fixed, or will be from now on.
func (p *pool) boundJobs(promised func(*trainee) bool) []*trainee {
	var jobs []*trainee
	for _, j := range p.jobs {
		if j.fixed() || j.unread || j.startsPlaced() || promised(j) && j.planned {
			jobs = append(jobs, j)
		}
	}
	return jobs
}

// onNodes leaves of new promises those that all find their nodes, beside each other and those that stand, in this
// order, for as long as that may take: what is left then is heard all at once.
func (p *pool) onNodes(standing, fresh []*trainee) (kept []*trainee) {
	kept = slices.Clone(standing)
	for tries := mostTriesOnNodes; tries > 0 && len(fresh) > 0 && p.mayRehearseNew(); tries-- {
		if p.rehearseNew(slices.Concat(kept, fresh)) {
			return slices.Concat(kept, fresh)[len(standing):]
		}
		few, many := 0, len(fresh) // so many do, so many do not
		for ; many-few > 1 && tries > 0 && p.mayRehearseNew(); tries-- {
			if half := (few + many) / 2; p.rehearseNew(slices.Concat(kept, fresh[:half])) {
				few = half
			} else {
				many = half
			}
		}
		kept = append(kept, fresh[:few]...)
		if many-few == 1 { // it is the one between that does not
			few = many
		}
		fresh = fresh[few:]
	}
	return append(kept, p.hear(kept, fresh)...)[len(standing):]
}

// shrinkTo takes the last workers of a job away, down to a size.
func (l *layout) shrinkTo(j *trainee, size Workers) {
	if size >= j.gets {
		return
	}
	added := min(Workers(len(j.added)), j.gets-size)
	l.drop(j, added)
	if kept := j.gets - added; kept > size {
		l.letGo(j, j.On[size:kept])
	}
	j.gets = size
	j.gone = max(j.gone, j.Workers-size)
}
