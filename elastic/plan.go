package elastic

import (
	"cmp"
	"maps"
	"slices"
)

// Plan decides on the size of every job of a snapshot that has passed its Check.
func Plan(s Snapshot) Decision { return plan(s, false) }

func plan(s Snapshot, eager bool) Decision {
	are := s.Jobs
	s = s.awaited()
	d := s.settle(s.decide(eager), eager)
	d.stillAwaited(are)
	d.Resizes = resizes(are, d.Jobs)
	return d
}

// settle sees to it that acting on a decision and planning again at the same moment gives the same sizes. That may take
// more than one try: what some jobs are given, or have given back, opens a way for another. A way that is open to jobs
// that have just been resized is open to the same jobs as they are. Among many jobs there are few tries, or none: what
// opens for some of them is for the next plan to find.
func (s Snapshot) settle(d Decision, eager bool) Decision {
	const most, many = 4, 1 << 13
	tries := min(most, many/max(len(s.Jobs), 1))
	if tries == 0 {
		return d
	}
	then, ok := s.after(d)
	for try := 0; try < tries && ok; try++ {
		again := then.decide(eager)
		same := slices.EqualFunc(d.Jobs, again.Jobs, func(a, b Outcome) bool {
			return a.Workers == b.Workers && a.Pool == b.Pool && a.Promised == b.Promised && a.Verdict == b.Verdict
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
	return d
}

// cluster is a snapshot by pools, in the order of whose names they are planned.
type cluster struct {
	jobs  []*trainee
	pools map[string]*pool
}

// divided gives every node, queue and job to its pool.
func (s Snapshot) divided(eager bool) *cluster {
	settings := s.Settings
	settings.PromiseShare = cmp.Or(settings.PromiseShare, 1.0/3)
	settings.Payback = cmp.Or(settings.Payback, 10)
	settings.Cooldown = cmp.Or(settings.Cooldown, 2)

	c := &cluster{pools: map[string]*pool{}}
	at := func(name string) *pool {
		if c.pools[name] == nil {
			c.pools[name] = &pool{now: s.Now, settings: settings, eager: eager, wake: forever}
		}
		return c.pools[name]
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
	for _, job := range s.Jobs {
		for _, place := range job.Elsewhere {
			if p := at(place.Pool); !slices.ContainsFunc(p.tenants, func(t tenant) bool { return t.Name == job.Queue }) {
				p.tenants = append(p.tenants, tenant{Queue: Queue{Name: job.Queue}})
			}
		}
	}
	c.jobs = make([]*trainee, len(s.Jobs))
	for i, job := range s.Jobs {
		p := at(job.Pool)
		c.jobs[i] = newTrainee(job, p.most(max(job.GPUsPerWorker, 1)))
		p.jobs = append(p.jobs, c.jobs[i])
	}
	return c
}

// plan plans for one pool after the other.
func (c *cluster) plan() Decision {
	d := Decision{Jobs: make([]Outcome, len(c.jobs))}
	wake := forever
	for _, name := range slices.Sorted(maps.Keys(c.pools)) {
		p := c.pools[name]
		p.plan()
		wake = min(wake, p.wake)
	}
	for i, j := range c.jobs {
		d.Jobs[i] = c.pools[j.Pool].outcome(j)
	}
	if wake < forever {
		d.Wake = &wake
	}
	return d
}
