package policies

import (
	"cmp"
	"slices"

	"github.com/takt-dev/takt/simulator"
)

// queue is a queue of jobs in an order of its own. It is kept from one decision to the next, since
// to sort thousands of waiting jobs anew at every event would take most of the time.
type queue struct {
	jobs     []*simulator.Training
	compare  func(a, b *simulator.Training) int
	arrivals arrivals
}

func byDeadline(a, b *simulator.Training) int { return cmp.Compare(a.Deadline, b.Deadline) }

// add puts jobs behind all that come before them or are their equals.
func (l *queue) add(jobs ...*simulator.Training) {
	for _, t := range jobs {
		at, _ := slices.BinarySearchFunc(l.jobs, t, func(a, b *simulator.Training) int {
			return cmp.Or(l.compare(a, b), -1)
		})
		l.jobs = slices.Insert(l.jobs, at, t)
	}
}

// update lets in who has come, and takes the GPUs of all jobs.
func (l *queue) update(s simulator.State) {
	l.prune()
	l.add(l.arrivals.sinceLast(s)...)
	release(s.Jobs)
}

// prune forgets the jobs that are finished.
func (l *queue) prune() {
	l.jobs = slices.DeleteFunc(l.jobs, finished)
}

func finished(t *simulator.Training) bool { return t.Left <= 0 }

// arrivals tells who has come since the last look.
type arrivals struct {
	looked bool
	at     simulator.Seconds
}

// sinceLast are the jobs that have not been seen, in the order of their arrival.
func (d *arrivals) sinceLast(s simulator.State) []*simulator.Training {
	first := len(s.Jobs)
	for first > 0 && (!d.looked || s.Jobs[first-1].Submit > d.at) {
		first--
	}
	d.looked, d.at = true, s.Now
	return s.Jobs[first:]
}

// split parts the jobs of which something is known from the others.
func split(jobs []*simulator.Training) (known, unknown []*simulator.Training) {
	for _, t := range jobs {
		if len(t.Curve) > 0 {
			known = append(known, t)
		} else {
			unknown = append(unknown, t)
		}
	}
	return known, unknown
}

func bestEffort(jobs []*simulator.Training) []*simulator.Training {
	var efforts []*simulator.Training
	for _, t := range jobs {
		if t.BestEffort() {
			efforts = append(efforts, t)
		}
	}
	return efforts
}

// release takes the GPUs of all jobs, so that they can be given out anew.
func release(jobs []*simulator.Training) {
	for _, t := range jobs {
		t.Want = 0
	}
}

// with is the queue with one job more; it leaves this one as it is.
func (l queue) with(t *simulator.Training) queue {
	longer := queue{jobs: slices.Clone(l.jobs), compare: l.compare}
	longer.add(t)
	return longer
}
