package load

import (
	"fmt"
	"slices"
	"time"
)

// Spans are how long something took of each job.
type Spans []time.Duration

// Mean is that of all.
func (s Spans) Mean() (mean time.Duration) {
	for _, took := range s {
		mean += took / time.Duration(len(s))
	}
	return mean
}

// P95 is what 95 of 100 did not exceed.
func (s Spans) P95() time.Duration {
	sorted := slices.Sorted(slices.Values(s))
	return sorted[(len(sorted)*95+99)/100-1]
}

func (s Spans) String() string {
	return fmt.Sprintf("%.1f s in the mean, p95 %.1f s", s.Mean().Seconds(), s.P95().Seconds())
}
