package learn

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/predictor"
)

// mostSizes is of how many sizes, the ones that it had for longest, it is told how long a run had them.
const mostSizes = 16

// attended is who was last seen to train, how, and when. It is told whether the job reports anything or not.
type attended struct {
	team  string
	shape predictor.Shape
	at    time.Time
}

// Attend takes that the workers which Team names train in a shape, and since when they do.
func (r *Run) Attend(shape predictor.Shape, began, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	a, from := r.attended, r.attended.at
	if a.team != r.team || a.at.IsZero() || a.shape != plain(shape) {
		if from = now; !began.IsZero() && began.Before(now) {
			from = began
		}
		if from.Before(a.at) {
			from = a.at
		}
	}
	if !a.at.IsZero() {
		r.stretch.looked(a.at, now)
	}
	r.spend(plain(shape), now.Sub(from))
	r.attended = attended{r.team, plain(shape), now}
}

func (r *Run) spend(shape predictor.Shape, took time.Duration) {
	if took > 0 && took < longest && shape.Workers > 0 {
		r.spent[shape] += took
	}
}

// trains is for how long it has trained, at whatever size.
func (r *Run) trains() (took time.Duration) {
	for _, at := range r.spent {
		took += at
	}
	return took
}

// Finished takes that the job has done all its work at a moment, with the workers that were last seen.
func (r *Run) Finished(at time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.finishedAt.IsZero() || at.IsZero() {
		return
	}
	if !r.attended.at.IsZero() {
		r.spend(r.attended.shape, at.Sub(r.attended.at))
	}
	r.finishedAt = at
}

// whole is how long the run took, if it has ended and that is known.
func (r *Run) whole() (v1alpha1.MeasuredRun, bool) {
	m := v1alpha1.MeasuredRun{Run: r.id, UpdatedAt: v1alpha1.NewTime(r.finishedAt)}
	if took, known := r.sinceLastStep(r.finishedAt); known {
		m.ClosingMilliseconds = new(took.Milliseconds())
	}
	for _, shape := range r.spentMost() {
		if seconds := int64(math.Round(r.spent[shape].Seconds())); seconds > 0 && len(shape.GPU) <= longestGPU &&
			shape.Workers <= math.MaxInt32 {
			m.Took = append(m.Took, v1alpha1.TimeAtSize{
				GPU: cmp.Or(shape.GPU, unknownGPU), Workers: int32(shape.Workers), Nodes: int32(shape.Nodes), Seconds: seconds,
			})
		}
	}
	return m, !r.finishedAt.IsZero() && m.UpdatedAt != "" && len(m.Took) > 0
}

// spentMost are the shapes that the run had, those that it had for longest first.
func (r *Run) spentMost() []predictor.Shape {
	shapes := slices.SortedFunc(maps.Keys(r.spent), func(a, b predictor.Shape) int {
		return cmp.Or(cmp.Compare(r.spent[b], r.spent[a]), compareShapes(a, b))
	})
	return shapes[:min(len(shapes), mostSizes)]
}

// readWhole reads how long a run took.
func readWhole(m *v1alpha1.MeasuredRun) (predictor.Whole, error) {
	seen, err := readRecord(m.Run, 1, m.UpdatedAt)
	if err != nil {
		return predictor.Whole{}, err
	}
	w := predictor.Whole{Run: m.Run, Seen: seen}
	if after := m.ClosingMilliseconds; after != nil {
		if *after < 0 || float64(*after) > 1000*longest.Seconds() {
			return predictor.Whole{}, fmt.Errorf("%d ms after its last step", *after)
		}
		w.Closing = new(predictor.Seconds(float64(*after) / 1000))
	}
	for _, s := range m.Took {
		if s.Workers < 1 || s.Workers > 1<<20 || s.Nodes < 1 || s.Nodes > s.Workers || s.GPU == "" ||
			len(s.GPU) > longestGPU ||
			s.Seconds < 1 || float64(s.Seconds) > longest.Seconds() {
			return predictor.Whole{}, fmt.Errorf("%d s with %s on %s", s.Seconds, elastic.CountOf(s.Workers, "worker"),
				elastic.CountOf(s.Nodes, "node"))
		}
		shape := predictor.Shape{Workers: predictor.Workers(s.Workers), Nodes: int(s.Nodes), GPU: s.GPU}
		if shape.GPU == unknownGPU {
			shape.GPU = ""
		}
		w.Took = append(w.Took, predictor.Spent{Shape: shape, Time: predictor.Seconds(s.Seconds)})
	}
	if len(w.Took) == 0 || len(w.Took) > mostSizes {
		return predictor.Whole{}, fmt.Errorf("%d sizes", len(w.Took))
	}
	return w, nil
}
