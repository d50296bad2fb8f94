package learn

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/takt-dev/takt/predictor"
)

// Account is what a run has done: how much work, how fast, and for how long it had which sizes.
type Account struct {
	Unit        string
	Done, Total float64 // of the work; Total is 0 if nobody knows
	Speeds      []SpeedOf
	Spent       []predictor.Spent // in the order of their sizes
}

// SpeedOf is how much work a second a run does in a shape.
type SpeedOf struct {
	Shape     predictor.Shape
	PerSecond float64
	Measured  bool // else it is predicted
}

// Account tells of each number of workers that was measured, and of those among the shapes whose prediction can be
// trusted. Who was last seen to train has gone on until a moment; zero if nobody trains any more.
func (r *Run) Account(shapes []predictor.Shape, until time.Time) Account {
	r.mu.Lock()
	defer r.mu.Unlock()
	return Account{
		Unit: r.tally.unit, Done: r.done, Total: r.tally.total, Speeds: r.speedsOf(shapes), Spent: r.attendance.until(until),
	}
}

func (r *Run) speedsOf(shapes []predictor.Shape) (all []SpeedOf) {
	seen := slices.SortedFunc(maps.Keys(r.speeds), func(a, b predictor.Shape) int {
		return cmp.Or(cmp.Compare(r.speeds[b].total(), r.speeds[a].total()), compareShapes(a, b))
	})
	known := map[predictor.Workers]bool{}
	for _, shape := range seen { // of several ways to have as many workers, the one that was measured most
		if rate := r.speeds[shape].typical(); rate > 0 && !known[shape.Workers] {
			known[shape.Workers] = true
			all = append(all, SpeedOf{shape, rate, true})
		}
	}
	for _, shape := range shapes {
		rate, ok := r.rate(plain(shape))
		if ok && rate.Trust != predictor.Unknown && !known[shape.Workers] {
			known[shape.Workers] = true
			all = append(all, SpeedOf{plain(shape), rate.Median, false})
		}
	}
	slices.SortFunc(all, func(a, b SpeedOf) int { return cmp.Compare(a.Shape.Workers, b.Shape.Workers) })
	return all
}
