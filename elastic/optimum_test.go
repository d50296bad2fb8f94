package elastic

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// slot is how long a size lasts in the little world of the exhaustive search.
const slot = Seconds(10)

// instance is a few jobs that all come at once, on a few GPUs. Deadlines and the work that sizes do
// in a slot are whole numbers; a change of size, and the start, takes pause slots.
type instance struct {
	gpus  int
	pause int
	jobs  []small
}

type small struct {
	left, deadline int
	speed          []int // by workers: work in a slot; nothing without any
}

func someInstance(r *rand.Rand) instance {
	in := instance{gpus: 1 + r.IntN(8), pause: r.IntN(2)}
	for range 1 + r.IntN(6) {
		j := small{speed: []int{0, 2 + r.IntN(3)}}
		for w, more := 2, j.speed[1]; w <= in.gpus && w <= 4; w++ {
			more = r.IntN(more + 1)
			j.speed = append(j.speed, j.speed[w-1]+more)
		}
		j.left = 1 + r.IntN(16)
		j.deadline = in.pause + 1 + r.IntN(7)
		in.jobs = append(in.jobs, j)
	}
	return in
}

// most is how many jobs can be in time, by trying every set of sizes in every slot.
func (in instance) most() int {
	for count := len(in.jobs); count > 0; count-- {
		for set := range 1 << len(in.jobs) {
			if ones(set) == count && in.feasible(set) {
				return count
			}
		}
	}
	return 0
}

func ones(set int) int {
	n := 0
	for ; set > 0; set &= set - 1 {
		n++
	}
	return n
}

// progress is the state of one job in the search: work done, size, and slots of its pause to come.
type progress struct{ done, size, busy int }

func (in instance) feasible(set int) bool {
	type moment struct {
		at    int
		state [6]progress
	}
	seen := map[moment]bool{}
	var search func(at int, state [6]progress) bool
	search = func(at int, state [6]progress) bool {
		open := false
		for i, j := range in.jobs {
			if set>>i&1 == 0 || state[i].done >= j.left {
				state[i] = progress{done: state[i].done}
				continue
			}
			if best := j.speed[len(j.speed)-1] * (j.deadline - at); state[i].done+best < j.left {
				return false
			}
			open = true
		}
		if !open {
			return true
		}
		key := moment{at, state}
		if seen[key] {
			return false
		}
		seen[key] = true
		var choose func(i, free int, next [6]progress) bool
		choose = func(i, free int, next [6]progress) bool {
			if i == len(in.jobs) {
				return search(at+1, next)
			}
			j, p := in.jobs[i], state[i]
			if set>>i&1 == 0 || p.done >= j.left {
				return choose(i+1, free, next)
			}
			for size := min(free, len(j.speed)-1); size >= 0; size-- {
				n := p
				if size != p.size {
					n.size, n.busy = size, in.pause
				}
				if n.busy > 0 {
					n.busy--
				} else {
					n.done += j.speed[size]
				}
				next[i] = n
				if choose(i+1, free-size, next) {
					return true
				}
			}
			return false
		}
		return choose(0, in.gpus, state)
	}
	return search(0, [6]progress{})
}

// met is how many jobs are in time if the planner decides.
func (in instance) met(t *testing.T) int {
	s := Snapshot{Nodes: []Node{{GPUs: GPUs(in.gpus)}}}
	for i, j := range in.jobs {
		deadline := Seconds(j.deadline)*slot + 2*rounding
		job := Job{Name: fmt.Sprint(i), Deadline: &deadline, Left: Work(j.left), Pause: Seconds(in.pause) * slot}
		for w, speed := range j.speed[1:] {
			job.Sizes = append(job.Sizes, Size{Workers: Workers(w + 1), Speed: Speed(speed) / Speed(slot)})
		}
		s.Jobs = append(s.Jobs, job)
	}
	w := newWorld(t, rand.New(rand.NewPCG(0, 0)), s)
	w.run(forever)
	met := 0
	for i, j := range in.jobs {
		if at, ok := w.finished[fmt.Sprint(i)]; ok && at <= Seconds(j.deadline)*slot+2*rounding {
			met++
		}
	}
	return met
}

// TestOptimum compares the planner, which knows nothing of jobs to come and changes sizes at any
// moment, with the best of all ways to run a few jobs in slots.
func TestOptimum(t *testing.T) {
	t.Parallel()
	instances := 300
	if testing.Short() {
		instances = 60
	}
	for pause := range 2 {
		optimal, better, gaps, worst, sum, total, asked := 0, 0, 0, 0, 0, 0, 0
		r := rand.New(rand.NewPCG(uint64(pause), 4))
		for range instances {
			in := someInstance(r)
			for i := range in.jobs {
				in.jobs[i].deadline += pause - in.pause
			}
			in.pause = pause
			met, most := in.met(t), in.most()
			sum, total, asked = sum+met, total+most, asked+len(in.jobs)
			if gap := most - met; gap <= 0 {
				optimal++
				if gap < 0 {
					better++
				}
			} else {
				gaps, worst = gaps+gap, max(worst, gap)
			}
		}
		t.Logf("pauses of %d slots: optimal in %d of %d (better than any slots in %d), %d of %d jobs met, %d can be, "+
			"mean gap %.3f jobs, worst %d", pause, optimal, instances, better, sum, asked, total,
			float64(gaps)/float64(instances), worst)
		if optimal*100 < instances*95 || worst > 1 {
			t.Errorf("pauses of %d slots: optimal in %d of %d, and the worst gap is %d", pause, optimal, instances, worst)
		}
	}
}
