package elastic

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// Whoever waits for others starts once these have ended, whatever else there is; two that wait for each other keep
// nobody else waiting. That nobody starts before, and is not planned to, is among the rules of each plan.
func TestChainsEndOneAfterTheOther(t *testing.T) {
	started := 0
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 19))
		w := newWorld(t, r, someCluster(r))
		circle := seed%4 == 0
		for n := range 2 + r.IntN(7) {
			j := someJob(r, n, w.Now, w.Queues[:1])
			j.OnlyPromised = false // who is never promised anything would never start
			for range r.IntN(3) {
				if n > 0 {
					j.After = append(j.After, fmt.Sprintf("job-%d", r.IntN(n)))
				}
			}
			w.Jobs = append(w.Jobs, j)
		}
		if circle {
			for n, next := range []string{"turns-1", "turns-0"} {
				j := someJob(r, n, w.Now, w.Queues[:1])
				j.Name, j.After = fmt.Sprintf("turns-%d", n), []string{next}
				w.Jobs = append(w.Jobs, j)
			}
		}
		for _, j := range w.Jobs {
			started += len(j.After)
		}
		w.run(forever)
		for _, j := range w.Jobs {
			if fits := newTrainee(j, goalOf(j), Workers(100)).counted; !circle || len(j.After) == 0 {
				t.Errorf("seed %d: %s never ends, with sizes %v", seed, j.Name, fits)
			}
		}
		if t.Failed() {
			return
		}
	}
	if started == 0 {
		t.Error("nobody waits for anybody")
	}
}

// A job that runs waits for nobody, and who is done with waiting is like any other.
func TestARunningJobWaitsForNobody(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 20))
		s := someCluster(r)
		for n := range 2 + r.IntN(6) {
			s.Jobs = append(s.Jobs, someJob(r, n, s.Now, s.Queues[:1]))
		}
		d := Plan(s)
		s, ok := s.after(d)
		if !ok {
			continue
		}
		without := Plan(s)
		s.Jobs = slices.Clone(s.Jobs)
		for i := range s.Jobs {
			if s.Jobs[i].Workers > 0 {
				s.Jobs[i].After = []string{s.Jobs[(i+1)%len(s.Jobs)].Name}
			}
		}
		if with := Plan(s); !reflect.DeepEqual(with, without) {
			t.Fatalf("seed %d: %s", seed, gocmp.Diff(without, with))
		}
	}
}

// The deadline of the last steers all before it: each has its part of the time, and ends in time for those behind it.
func TestADeadlineSteersTheWholeChain(t *testing.T) {
	one := []Size{{Workers: 1, Speed: 1}, {Workers: 2, Speed: 2}}
	s := Snapshot{Nodes: []Node{{Name: "n", GPUs: 8}}}
	for n := range 4 {
		j := Job{Name: fmt.Sprint(n), Left: 100, Sizes: one}
		if n > 0 {
			j.After = []string{fmt.Sprint(n - 1)}
		}
		s.Jobs = append(s.Jobs, j)
	}
	s.Jobs[3].Deadline = new(Seconds(300))
	before := Seconds(0)
	for i, o := range Plan(s).Jobs {
		if o.Reserved == nil || o.Reserved[0].From < before || o.Reserved[len(o.Reserved)-1].To > Seconds(75*(i+1)) {
			t.Errorf("%s is planned as %v after %v, and has a quarter of the time", o.Name, o.Reserved, before)
		} else {
			before = o.Reserved[len(o.Reserved)-1].To
		}
	}
	s.Jobs[3].Deadline = new(Seconds(199))
	for i, o := range Plan(s).Jobs {
		if want := []Verdict{BestEffort, BestEffort, BestEffort, Infeasible}[i]; o.Verdict != want || o.Reserved != nil {
			t.Errorf("in too little time %s is %s with %v, want %s: %s", o.Name, o.Verdict, o.Reserved, want, o.Message)
		}
	}
}

// A plan for many jobs in chains costs about what one for as many jobs costs that wait for nobody.
func TestChainsCostLittle(t *testing.T) {
	const many = 10_000
	s := busyCluster(many)
	for i := range s.Jobs {
		if j := &s.Jobs[i]; j.Workers == 0 && i > 0 {
			j.After = []string{s.Jobs[i-1].Name}
		}
	}
	c := s.divided(false)
	edges := 0
	for _, j := range c.jobs {
		edges += len(j.before)
	}
	if len(c.later) == 0 || edges < len(c.later) {
		t.Fatalf("%d jobs wait, for %d", len(c.later), edges)
	}
	for n := range many { // one chain of all, and then a circle of all
		s.Jobs[n].Workers, s.Jobs[n].On, s.Jobs[n].After = 0, nil, []string{s.Jobs[(n+1)%many].Name}
	}
	if o := Plan(s).Jobs[0]; o.Workers > 0 || o.Reason != AfterOthers {
		t.Errorf("%+v", o)
	}
	s.Jobs[0].After = nil
	if o := Plan(s).Jobs[many/2]; o.Workers > 0 || o.Reason != AfterOthers {
		t.Errorf("%+v", o)
	}
}
