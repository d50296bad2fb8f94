package elastic

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// world does what the planner says, to jobs that train exactly as fast as the planner believes.
type world struct {
	t *testing.T
	Snapshot
	finished map[string]Seconds
	promised map[string]Seconds // deadlines
}

func newWorld(t *testing.T, s Snapshot) *world {
	return &world{t: t, Snapshot: s, finished: map[string]Seconds{}, promised: map[string]Seconds{}}
}

// plan plans, checks what must always be true of a decision, and acts on it.
func (w *world) plan() Decision {
	w.t.Helper()
	if err := w.Check(); err != nil {
		w.t.Fatalf("the world has gone wrong: %v", err)
	}
	d := Plan(w.Snapshot)
	if diff := cmp.Diff(d, Plan(w.Snapshot)); diff != "" {
		w.t.Fatalf("the same snapshot gives another decision: %s", diff)
	}
	for _, complaint := range broken(w.Snapshot, d) {
		w.t.Errorf("at %v: %s", w.Now, complaint)
	}
	w.act(d)
	for i, o := range Plan(w.Snapshot).Jobs {
		if o.Workers != w.Jobs[i].Workers {
			w.t.Fatalf("at %v: the plan after acting on the plan gives %s %d workers (%s), and it has just been given %d (%s)",
				w.Now, o.Name, o.Workers, o.Reason, w.Jobs[i].Workers, d.Jobs[i].Reason)
		}
	}
	return d
}

func (w *world) act(d Decision) {
	w.Jobs = slices.Clone(w.Jobs)
	for i, o := range d.Jobs {
		j := &w.Jobs[i]
		if o.Workers != j.Workers {
			j.Workers, j.BusyUntil = o.Workers, w.Now+j.Pause
		}
		j.Promised, j.Reserved = o.Promised, o.Reserved
		if j.Promised {
			w.promised[j.Name] = *j.Deadline
		}
	}
}

func (w *world) speed(j Job) Speed {
	for _, s := range j.Sizes {
		if s.Workers == j.Workers {
			return s.Speed
		}
	}
	return 0
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
		if to == forever {
			return
		}
		w.advance(to)
		if to == until {
			return
		}
	}
	w.t.Fatalf("at %v: there is no end to it, with %d jobs left", w.Now, len(w.Jobs))
}

// someCurve is a random job's sizes: more workers are faster, each less so.
func someCurve(r *rand.Rand) []Size {
	var sizes []Size
	speed, gain := Speed(0.5+r.Float64()), 1.3+0.7*r.Float64()
	for w := Workers(1 + r.IntN(2)); w <= 16 && len(sizes) < 1+r.IntN(5); w *= 2 {
		sizes = append(sizes, Size{Workers: w, Speed: speed})
		speed *= Speed(gain)
	}
	if len(sizes) == 0 {
		return []Size{{Workers: 1, Speed: speed}}
	}
	return sizes
}

func someJob(r *rand.Rand, n int, now Seconds, queues []Queue) Job {
	j := Job{
		Name: fmt.Sprintf("job-%d", n), Submitted: now, Sizes: someCurve(r),
		Left: Work(10 + r.ExpFloat64()*500), Pause: Seconds(r.IntN(4) * 10), Queue: queues[r.IntN(len(queues))].Name,
	}
	if r.IntN(5) > 0 {
		fastest := j.Sizes[len(j.Sizes)-1]
		deadline := now + j.Pause + fastest.train(j.Left)*Seconds(0.8+r.ExpFloat64()*2)
		j.Deadline = &deadline
		j.OnlyPromised = r.IntN(4) == 0
	}
	return j
}
