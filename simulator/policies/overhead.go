package policies

import (
	"cmp"
	"math"
	"slices"

	"github.com/takt-dev/takt/simulator"
)

// overhead is what ElasticFlow's authors measured of their system: at every event every job that
// runs stops for some seconds, longer if it is on other GPUs than before, and longest at every
// sixtieth event, when all processes are restarted. Their system places all jobs anew each time,
// the largest first, so a job moves also when those that are placed before it have changed.
type overhead struct {
	events int
	charge bool // this is an event, and not a moment within a slot
	large  bool // 256 GPUs or more
	first  map[*simulator.Training]spot
	moved  map[*simulator.Training]bool
}

// spot is where a job is: its first GPU, and how many it has.
type spot struct{ first, gpus int }

// idle says that nothing is done at this moment, so that nothing is charged.
func (o *overhead) idle() { o.charge = false }

// count says that there was an event, and notes which jobs are moved by it.
func (o *overhead) count(s simulator.State) {
	o.events++
	o.charge = true
	o.large = o.large || s.GPUs >= 256
	bySize := slices.SortedStableFunc(slices.Values(s.Jobs), func(a, b *simulator.Training) int {
		return cmp.Or(cmp.Compare(b.Want, a.Want), cmp.Compare(a.Deadline, b.Deadline))
	})
	before := o.first
	o.first = map[*simulator.Training]spot{}
	o.moved = map[*simulator.Training]bool{}
	next := 0
	for _, t := range bySize {
		if t.Want == 0 {
			break
		}
		at := spot{next, t.Want}
		o.first[t] = at
		o.moved[t] = before[t] != at
		next += t.Want
	}
}

// Price is the published model.
func (o *overhead) Price(t *simulator.Training, _ bool) simulator.Seconds {
	if !o.charge || t.Size == 0 {
		return 0
	}
	const every = 60
	price, restart := simulator.Seconds(2), simulator.Seconds(27)
	if o.large {
		price, restart = 7, 47
	}
	if o.moved[t] {
		price += simulator.Seconds(2 * (math.Log2(float64(t.Size)) + 1))
	}
	if o.events%every == 0 {
		price += restart
	}
	return price
}
