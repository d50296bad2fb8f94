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
