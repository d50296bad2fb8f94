package elastic

import "slices"

// move is a job that is to wait in another pool.
type move struct {
	job  int
	pool string
}

// mostMoved is how many jobs may move at a time.
const mostMoved = 64

// decide is one try, with every job that waits in the pool where it ends first. A job with a promise stays
// where that was made.
func (s Snapshot) decide(eager bool) Decision {
	c := s.divided(eager)
	m := moves{Snapshot: s, eager: eager, home: c, decision: c.plan(), tries: tries(len(s.Jobs))}
	var all []move
	for _, who := range c.movable() {
		if pool, ok := c.better(who.job); ok {
			all = append(all, move{who.at, pool})
		}
	}
	m.add(all)
	return m.decision
}

// tries is how many plans are made for the sake of moves: the fewer, the more jobs there are.
func tries(jobs int) int {
	const least, most, many = 2, 16, 1 << 14
	return min(max(least, many/max(jobs, 1)), most)
}

// moves are those that do some good, and the decision with them.
type moves struct {
	Snapshot
	eager    bool
	home     *cluster // as it is planned without any
	made     []move
	decision Decision
	tries    int
}

// add makes some moves if they do good: who moves is to stand clearly better, and nobody else is to lose a plan by it,
// or what it has only just begun with, unless another has no plan without it.
// Those that do not stand better are left out. Where somebody loses a plan, nobody knows by which of them: so each
// half is tried by itself.
func (m *moves) add(some []move) {
	for len(some) > 0 && m.tries > 0 {
		m.tries--
		all := slices.Concat(m.made, some)
		moved := m.Snapshot
		moved.Jobs = slices.Clone(m.Jobs)
		for _, to := range all {
			moved.Jobs[to.job] = moved.Jobs[to.job].In(to.pool)
		}
		c := moved.divided(m.eager)
		d := c.plan()
		worse := func(to move) bool { return !c.standing(to.job).clearly(m.home.standing(to.job), m.Now) }
		if left := slices.DeleteFunc(slices.Clone(some), worse); len(left) < len(some) {
			some = left
			continue
		}
		saved := func(to move) bool {
			there := c.standing(to.job).standing
			return there <= asHoped && there < m.home.standing(to.job).standing
		}
		spared := !m.hardlyBegun(d) || slices.ContainsFunc(some, saved)
		if !losesPlan(m.decision, d) && spared && !slices.ContainsFunc(m.made, worse) {
			m.made, m.decision = all, d
			return
		}
		if len(some) == 1 {
			return
		}
		m.add(some[:len(some)/2])
		some = some[len(some)/2:]
	}
}

// hardlyBegun says that moves take workers from somebody who has not trained with them for as long as the change cost
// that gave them: what a job gains by a move that has a plan without it can wait for that.
func (m *moves) hardlyBegun(d Decision) bool {
	for i, o := range d.Jobs {
		j := m.Jobs[i]
		begun := j.Workers > 0 && m.Now < j.BusyUntil+j.Pause+j.Rework
		if begun && o.Workers < min(j.Workers, m.decision.Jobs[i].Workers) {
			return true
		}
	}
	return false
}

// mover is a job that may move, and how it stands where it is.
type mover struct {
	at     int
	job    *trainee
	stands standing
}

// movable are those that wait, and may run elsewhere: first those that cannot be in time where they are, then others
// with a deadline, and of these those that are worst off.
func (c *cluster) movable() []mover {
	var list []mover
	for i, j := range c.jobs {
		if len(j.Elsewhere) > 0 && j.Workers == 0 && !j.Promised && !j.waits() {
			list = append(list, mover{i, j, c.standing(i).standing})
		}
	}
	byProspect.sort(list)
	return list[:min(len(list), mostMoved)]
}

// lookElsewhere finds of jobs that cannot be in time where they wait another pool in which they could, if nobody else
// were there. Whether they move there or not, it is not the job that is infeasible.
func (c *cluster) lookElsewhere() {
	for _, j := range c.jobs {
		if !j.doomed || j.Workers > 0 || j.gets > 0 || j.Promised {
			continue
		}
		j.possibleElsewhere = slices.ContainsFunc(j.Elsewhere, func(place Place) bool {
			p := c.pools[place.Pool]
			if p == nil {
				return false
			}
			there := p.traineeFromElsewhere(j, place.Pool)
			there.chain, there.chained = j.chain, j.chained
			return p.wouldDo(there)
		})
	}
}

// wouldDo says that a job would be in time here, if it were alone.
func (p *pool) wouldDo(j *trainee) bool {
	j.queue = slices.IndexFunc(p.tenants, func(t tenant) bool { return t.Name == j.Queue })
	return j.queue >= 0 && len(j.counted) > 0 && j.known() && p.empty.steady(j, j.at(p.now)) != nil
}
