package elastic

import (
	"cmp"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// world does what the planner says, to jobs that train as fast as is expected of them.
type world struct {
	t *testing.T
	Snapshot
	random *rand.Rand
	places bool // it is known on which nodes workers are

	plans, restless int // how many plans there were, and how many of them that did not settle soon

	finished map[string]Seconds
	promised map[string]Seconds // deadlines
	warned   map[string]bool    // whose promise was said to be at risk while there was time
}

func newWorld(t *testing.T, r *rand.Rand, s Snapshot) *world {
	return &world{
		t: t, Snapshot: s, random: r,
		finished: map[string]Seconds{}, promised: map[string]Seconds{}, warned: map[string]bool{},
	}
}

// plan plans, checks what must always be true of a decision, and acts on it.
func (w *world) plan() Decision {
	w.t.Helper()
	if err := w.Check(); err != nil {
		w.t.Fatalf("the world has gone wrong: %v", err)
	}
	d := Plan(w.Snapshot)
	for _, complaint := range broken(w.Snapshot, d) {
		w.t.Errorf("at %v: %s", w.Now, complaint)
	}
	w.shuffle(d)
	w.act(d)
	// A job that is stopped to make room on a node may start on another one: that takes a second step.
	for range 2 {
		if again := Plan(w.Snapshot); w.places && len(again.Resizes) > 0 {
			w.act(again)
			d = again
		}
	}
	again := Plan(w.Snapshot).Resizes
	if w.plans++; w.places && len(again) > 0 {
		w.restless++
		return d
	}
	for _, r := range again {
		w.t.Errorf("at %v: the plan after acting on the plan gives %s %d workers, not %d (%s)", w.Now, r.Job, r.To, r.From, r.Reason)
	}
	return d
}

// shuffle plans again, with jobs and queues in another order: that changes nothing.
func (w *world) shuffle(d Decision) {
	w.t.Helper()
	s := w.Snapshot
	order := w.random.Perm(len(s.Jobs))
	s.Jobs = make([]Job, len(order))
	for to, from := range order {
		s.Jobs[to] = w.Jobs[from]
	}
	s.Queues = slices.Clone(s.Queues)
	w.random.Shuffle(len(s.Queues), func(i, k int) { s.Queues[i], s.Queues[k] = s.Queues[k], s.Queues[i] })
	again := Plan(s)
	for to, from := range order {
		if !reflect.DeepEqual(d.Jobs[from], again.Jobs[to]) {
			w.t.Fatalf("at %v: the same snapshot in another order gives another decision: %s",
				w.Now, gocmp.Diff(d.Jobs[from], again.Jobs[to]))
		}
	}
}

func (w *world) act(d Decision) {
	w.t.Helper()
	w.Jobs = slices.Clone(w.Jobs)
	var moved []int
	for i, o := range d.Jobs {
		j := &w.Jobs[i]
		if o.Workers != j.Workers {
			j.Left += newTrainee(*j, most).loses(j.Workers)
			j.On = j.On[:min(len(j.On), int(o.Workers))]
			j.Workers, j.BusyUntil = o.Workers, w.Now+j.Pause
			moved = append(moved, i)
		}
		j.Promised, j.Reserved = o.Promised, o.Reserved
		if j.Promised {
			w.promised[j.Name] = *j.Deadline
			w.warned[j.Name] = w.warned[j.Name] || o.Verdict != OnTrack && w.Now <= *j.Deadline
		}
	}
	if w.places {
		w.schedule(moved)
	}
}

// schedule finds nodes for new workers: the greatest first, each on the fullest node that has room.
func (w *world) schedule(jobs []int) {
	w.t.Helper()
	free := map[string]GPUs{}
	for _, n := range w.Nodes {
		free[n.Name] = n.GPUs
	}
	for _, j := range w.Jobs {
		for _, node := range j.On {
			free[node] -= max(j.GPUsPerWorker, 1)
		}
	}
	slices.SortStableFunc(jobs, func(a, b int) int { return cmp.Compare(w.Jobs[b].GPUsPerWorker, w.Jobs[a].GPUsPerWorker) })
	for _, i := range jobs {
		j := &w.Jobs[i]
		j.On = slices.Clone(j.On)
		for len(j.On) < int(j.Workers) {
			best := ""
			for _, n := range w.Nodes {
				if n.Pool == j.Pool && free[n.Name] >= max(j.GPUsPerWorker, 1) && (best == "" || free[n.Name] < free[best]) {
					best = n.Name
				}
			}
			if best == "" {
				w.t.Fatalf("at %v: %s has %d workers, and there is no node for one of them", w.Now, j.Name, j.Workers)
			}
			free[best] -= max(j.GPUsPerWorker, 1)
			j.On = append(j.On, best)
		}
	}
}

func (w *world) size(j Job) Size {
	for _, s := range j.Sizes {
		if s.Workers == j.Workers {
			return s
		}
	}
	return Size{}
}

// speed is how fast a job trains in truth. What nobody expects anything of is a fifth slower than at
// best.
func (w *world) speed(j Job) Speed {
	s := w.size(j)
	return cmp.Or(s.Expected, s.Speed, s.Best*0.8)
}

// end is when the next job is finished, if sizes stay.
func (w *world) end() Seconds {
	end := forever
	for _, j := range w.Jobs {
		if speed := w.speed(j); speed > 0 {
			end = min(end, max(w.Now, j.BusyUntil)+Size{Speed: speed}.train(j.Left))
		}
	}
	return end
}

// advance trains until some moment.
func (w *world) advance(to Seconds) {
	w.Jobs = slices.Clone(w.Jobs)
	for i := range w.Jobs {
		j := &w.Jobs[i]
		j.Left -= Work(float64(max(0, to-max(w.Now, j.BusyUntil))) * float64(w.speed(*j)))
		if j.Left < 1e-6 {
			w.finished[j.Name] = to
		}
		if every := Seconds(50); j.SavesAt > 0 && to >= j.SavesAt {
			j.SavedAt, j.SavesAt = to, to+every
		}
	}
	w.Jobs = slices.DeleteFunc(w.Jobs, func(j Job) bool { return j.Left < 1e-6 })
	w.Now = to
}

// run plans whenever a job is finished and whenever the planner wants to, until some moment or until
// nothing happens any more.
func (w *world) run(until Seconds) {
	w.t.Helper()
	for range 10_000 {
		d := w.plan()
		to := min(until, w.end())
		if d.Wake != nil {
			to = min(to, *d.Wake)
		}
		if to == forever || w.t.Failed() {
			return
		}
		w.advance(to)
		if to == until {
			return
		}
	}
	w.t.Fatalf("at %v: there is no end to it, with %d jobs left", w.Now, len(w.Jobs))
}
