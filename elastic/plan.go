package elastic

import (
	"cmp"
	"maps"
	"slices"
)

// Plan decides on the size of every job of a snapshot that has passed its Check.
func Plan(s Snapshot) Decision { return plan(s, false) }

func plan(s Snapshot, eager bool) Decision {
	return s.withoutLeaders(func(s Snapshot) Decision {
		return s.setAside(s.takeFromWhoCannotRun(s.share(eager), eager))
	})
}

// share shares out what there is.
func (s Snapshot) share(eager bool) Decision {
	s = s.ungrown().stillAwaiting()
	are := s.Jobs
	s = s.awaited()
	d := s.decideOnNodes(eager)
	d.stillAwaited(are)
	d.toHave(are)
	d.leaveNodes(are)
	d.stopStranded(are, s.Settings, s.Now)
	d.keep(are)
	d.Resizes = resizes(are, d.Jobs, s.Now)
	return d
}

// cluster is a snapshot by pools, in the order of whose names they are planned.
type cluster struct {
	jobs  []*trainee
	later []*trainee // those that wait for others to succeed, each after those
	pools map[string]*pool
}

// divided gives every node, queue and job to its pool.
func (s Snapshot) divided(eager bool) *cluster {
	settings := s.Settings
	settings.PromiseShare = cmp.Or(settings.PromiseShare, 1.0/3)
	settings.Payback = cmp.Or(settings.Payback, 10)
	settings.Cooldown = cmp.Or(settings.Cooldown, 2)

	c, sites, appetites := &cluster{pools: map[string]*pool{}}, s.sites(), appetitesOn(s.Nodes)
	at := func(name string) *pool {
		if c.pools[name] == nil {
			c.pools[name] = &pool{now: s.Now, settings: settings, eager: eager, sites: sites, appetites: appetites,
				wake: forever}
		}
		return c.pools[name]
	}
	for _, n := range s.Nodes {
		p := at(n.Pool)
		p.nodes = append(p.nodes, n)
	}
	for _, d := range s.Demands {
		at(d.Pool).forOthers += d.GPUs
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
		c.jobs[i] = p.trainee(job, goalOf(job))
		if !job.waits() {
			p.jobs = append(p.jobs, c.jobs[i])
			if job.Overruns > 0 {
				p.overrunning = append(p.overrunning, c.jobs[i])
			}
		}
	}
	c.link(s.Now)
	for _, j := range c.later {
		c.pools[j.Pool].later = append(c.pools[j.Pool].later, j)
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
		d.Astray = d.Astray || p.astray
	}
	wake = min(wake, c.followUp())
	c.lookElsewhere()
	for i, j := range c.jobs {
		d.Jobs[i] = c.pools[j.Pool].outcome(j)
	}
	if wake < forever {
		d.Wake = &wake
	}
	return d
}
