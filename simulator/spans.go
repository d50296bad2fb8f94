package simulator

import "slices"

// Spans sums up how long something took that happened to many jobs, in seconds.
type Spans struct {
	Mean float64 `json:"mean"`
	P95  float64 `json:"p95"` // 95 of 100 took no longer
}

// newSpans is nil where nothing happened.
func newSpans(took []float64) *Spans {
	if len(took) == 0 {
		return nil
	}
	slices.Sort(took)
	sum := 0.0
	for _, seconds := range took {
		sum += seconds
	}
	const percent = 95
	last := (len(took)*percent + 99) / 100 // the least number of jobs that are 95 of 100
	return &Spans{sum / float64(len(took)), took[last-1]}
}
