package learn

import (
	"cmp"
	"fmt"
	"math"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/predictor"
)

// whole is how long the run took, if it has ended and that is known.
func (r *Run) whole() (v1alpha1.MeasuredRun, bool) {
	m := v1alpha1.MeasuredRun{Run: r.id, UpdatedAt: v1alpha1.NewTime(r.attendance.finishedAt)}
	if took, known := r.sinceLastStep(r.attendance.finishedAt); known {
		m.ClosingMilliseconds = new(took.Milliseconds())
	}
	for _, s := range r.attendance.most() {
		shape := s.shape
		if seconds := int64(math.Round(s.took.Seconds())); seconds > 0 && len(shape.GPU) <= longestGPU &&
			shape.Workers <= math.MaxInt32 {
			m.Took = append(m.Took, v1alpha1.TimeAtSize{
				GPU: cmp.Or(shape.GPU, unknownGPU), Workers: int32(shape.Workers), Nodes: int32(shape.Nodes), Seconds: seconds,
			})
		}
	}
	return m, !r.attendance.finishedAt.IsZero() && m.UpdatedAt != "" && len(m.Took) > 0
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
