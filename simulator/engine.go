package simulator

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/takt-dev/takt/elastic"
)

// Policy decides how many GPUs each job has: at every arrival and completion, and when it asked to
// be woken. It sets Want of jobs, and Promised and Declined.
type Policy interface {
	Decide(State) (wake Seconds)
}

// Pricer is a policy that comes with its own model of what a decision costs a job that runs, in
// place of the resize cost.
type Pricer interface {
	Price(t *Training, changes bool) Seconds
}

// State is what a policy decides about.
type State struct {
	Now        Seconds
	GPUs       int   // in nodes that are up
	Nodes      []int // the GPUs of each node; none in a node that is down
	ResizeCost Seconds
	Jobs       []*Training // those that are not finished and may run, in the order of their arrival
	Later      []*Training // those that have come, and may not run before others are finished

	Queues []elastic.Queue // what each queue has of the cluster; none if all jobs are of one
}

// Predictor tells policies how fast jobs train, by setting the Curve of every job at every event.
// It asks to be woken when there will be something to see.
type Predictor interface {
	Watch(now Seconds, jobs []*Training) (wake Seconds)
}

// Cluster is what the jobs run on, and how.
type Cluster struct {
	GPUs        int
	GPUsPerNode int
	ResizeCost  Seconds
	Failures    Failures
	Queues      []elastic.Queue
	// Clock measures how long decisions take; without it they take no time.
	Clock func() time.Duration
	// Progress, if there is one, is told at every event how many jobs are over.
	Progress func(over int)
}

// Change is one change of the size of one job.
type Change struct {
	At   Seconds
	Job  *Training
	Size int
}

// History is what happened in a run.
type History struct {
	Jobs      []*Training // in the order of arrival
	Changes   []Change
	Decisions []time.Duration
}

// run is a run under way.
type run struct {
	Cluster
	History
	predictor Predictor
	policy    Policy
	nodes     *nodes
	failing   *failing

	now, wake Seconds
	coming    []*Training
	present   []*Training
	later     []*Training
	finished  map[string]bool
}

// Run replays jobs under a policy. Jobs whose speeds are not known never run.
func (c Cluster) Run(jobs []Job, speeds func(Job) Speeds, predictor Predictor, policy Policy) (History, error) {
	r := &run{Cluster: c, predictor: predictor, policy: policy, wake: Never, nodes: newNodes(c.GPUs, c.GPUsPerNode),
		finished: map[string]bool{}}
	r.failing = c.Failures.start(r.nodes)
	byArrival := func(a, b Job) int { return cmp.Compare(a.Submit, b.Submit) }
	for _, job := range slices.SortedStableFunc(slices.Values(jobs), byArrival) {
		r.coming = append(r.coming, &Training{Job: job, Left: job.Work, Finished: Never, speeds: speeds(job)})
	}
	r.Jobs = slices.Clone(r.coming)
	for r.next() {
		if err := r.decide(); err != nil {
			return r.History, err
		}
	}
	return r.History, nil
}

// next goes on to the next event. There is none once all jobs are over, or no job will ever be.
func (r *run) next() bool {
	if len(r.coming)+len(r.present) == 0 {
		return false
	}
	next := min(r.wake, r.failing.repaired())
	if len(r.coming) > 0 {
		next = min(next, r.coming[0].Submit)
	}
	for _, t := range r.present {
		next = min(next, t.end())
	}
	if next == Never {
		return false
	}
	next = min(next, r.failing.strikes)
	for _, t := range slices.Concat(r.present, r.later) {
		t.advance(r.now, next)
	}
	r.now = next
	r.present = slices.DeleteFunc(r.present, func(t *Training) bool {
		if t.Left > 0 {
			return false
		}
		r.resize(t, 0)
		r.finished[t.ID] = true
		return true
	})
	for _, t := range r.failing.strike(r.now, r.present) {
		r.resize(t, 0)
	}
	for len(r.coming) > 0 && r.coming[0].Submit <= r.now {
		if len(r.coming[0].speeds) > 0 {
			r.later = append(r.later, r.coming[0])
		}
		r.coming = r.coming[1:]
	}
	r.release()
	if r.Progress != nil {
		r.Progress(len(r.Jobs) - len(r.coming) - len(r.present) - len(r.later))
	}
	return true
}

// release lets those run that wait for none any more.
func (r *run) release() {
	r.later = slices.DeleteFunc(r.later, func(t *Training) bool {
		t.Awaits = slices.DeleteFunc(slices.Clone(t.After), func(id string) bool { return r.finished[id] })
		if len(t.Awaits) > 0 {
			return false
		}
		r.present = append(r.present, t)
		return true
	})
}

// decide asks the policy, and does as it says.
func (r *run) decide() error {
	wake := r.predictor.Watch(r.now, slices.Concat(r.present, r.later))
	state := State{Now: r.now, ResizeCost: r.ResizeCost, Jobs: r.present, Later: r.later, Queues: r.Queues}
	for i, down := range r.nodes.down {
		gpus := min(r.GPUsPerNode, r.GPUs-i*r.GPUsPerNode)
		if down {
			gpus = 0
		}
		state.GPUs += gpus
		state.Nodes = append(state.Nodes, gpus)
	}
	for _, t := range r.present {
		t.Want = t.Size
	}
	var begin time.Duration
	if r.Clock != nil {
		begin = r.Clock()
	}
	r.wake = min(wake, r.policy.Decide(state))
	if r.Clock != nil {
		r.Decisions = append(r.Decisions, r.Clock()-begin)
	}
	used := 0
	for _, t := range r.present {
		used += t.Want
		if t.Want > 0 && t.speeds[t.Want] == 0 {
			return fmt.Errorf("the policy gives job %s %s, a size that was not measured", t.ID, elastic.CountOf(t.Want, "GPU"))
		}
	}
	if used > state.GPUs {
		return fmt.Errorf("the policy gives out %s, and there are %d", elastic.CountOf(used, "GPU"), state.GPUs)
	}
	if r.act() {
		r.wake = min(r.wake, r.predictor.Watch(r.now, slices.Concat(r.present, r.later))) // which sees who has begun
	}
	return nil
}

// act gives every job its size: first to those that shrink, so that there is room for the others. It says
// whether there was anything to change.
func (r *run) act() bool {
	var same, shrink, grow []*Training
	for _, t := range r.present {
		switch {
		case t.Want == t.Size:
			same = append(same, t)
		case t.Want < t.Size:
			shrink = append(shrink, t)
		default:
			grow = append(grow, t)
		}
	}
	pricer, priced := r.policy.(Pricer)
	for _, t := range slices.Concat(shrink, grow) {
		r.resize(t, t.Want)
		if !priced {
			t.Ready += r.ResizeCost
		} else {
			t.Ready += pricer.Price(t, true)
		}
		t.Since = t.Ready
	}
	for _, t := range same {
		if priced && t.Size > 0 {
			t.Ready = max(t.Ready, r.now) + pricer.Price(t, false)
		}
	}
	return len(shrink)+len(grow) > 0
}

// resize moves a job to another size, which it starts to train with at once.
func (r *run) resize(t *Training, size int) {
	if size == t.Size {
		return
	}
	r.nodes.drop(t, max(0, t.Size-size))
	r.nodes.add(t, max(0, size-t.Size))
	t.Size, t.unsaved, t.Ready = size, 0, r.now
	if size > 0 {
		t.Resizes++
	}
	r.Changes = append(r.Changes, Change{r.now, t, size})
}
