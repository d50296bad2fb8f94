package predictor

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// Cost is what one restart took.
type Cost struct {
	Pause Seconds `json:"pause"` // without progress
	Lost  Seconds `json:"lost"`  // training since the last checkpoint, to be done again
	// Scratch says that nothing showed that any training was kept: Lost then tells nothing of later restarts.
	Scratch bool `json:"scratch,omitempty"`
}

// Restarts learns what a restart costs. Its size is fixed: the latest restarts count. The zero
// value knows nothing.
type Restarts struct {
	recent    []Cost // its own; they overwrite each other in turn
	count     uint64
	inherited []Cost // from other runs, the oldest first
}

// What is believed of a restart before any was seen: pods start in 25 to 250 s.
const (
	priorPause          = 80.0
	priorPauseDeviation = 0.7 // of the logarithm
	restartNoise        = 0.3 // between two restarts, at least
)

// Observe learns from one restart.
func (r *Restarts) Observe(c Cost) error {
	for _, part := range []struct {
		name  string
		value Seconds
	}{{"the pause", c.Pause}, {"the lost work", c.Lost}} {
		if math.IsNaN(float64(part.value)) || math.IsInf(float64(part.value), 0) {
			return &ValueError{part.name, float64(part.value), ErrNotFinite}
		}
		if part.value < 0 || part.value > maxStep {
			return &ValueError{part.name, float64(part.value), ErrOutOfRange}
		}
	}
	if len(r.recent) < window {
		r.recent = append(r.recent, c)
	} else {
		r.recent[r.count%window] = c
	}
	r.count++
	return nil
}

// known are the restarts that count: its own, and of the inherited as many as there is room for.
func (r *Restarts) known() []Cost {
	room := min(window-len(r.recent), len(r.inherited))
	return slices.Concat(r.inherited[len(r.inherited)-room:], r.recent)
}

// Pause is how long the next restart holds the job up.
func (r *Restarts) Pause() Estimate {
	known := r.known()
	logs := make([]float64, len(known))
	for i, cost := range known {
		logs[i] = math.Log(max(float64(cost.Pause), 0.1))
	}
	slices.Sort(logs)
	return spanOf(logs, priorPause, priorPauseDeviation)
}

// spanOf is how long something takes that took as long as these sorted logarithms tell; before any was seen it is
// about what is usual.
func spanOf(logs []float64, usual, deviation float64) Estimate {
	mean, variance, trust := math.Log(usual), deviation*deviation, Unknown
	if n := float64(len(logs)); n > 0 {
		scatter := restartScatter(logs)
		median := middle(logs)
		precision := n / scatter
		mean = (mean/variance + precision*median) / (1/variance + precision)
		variance = 1/(1/variance+precision) + scatter
		trust = Measured
	}
	return newEstimate(mean, variance, trust)
}

// restartScatter is the variance of sorted logarithms of pauses. A few restarts tell little of it, so what
// is usual counts as much as some of them; and of many, one may have been an exception.
func restartScatter(logs []float64) float64 {
	const usual, usualCount = restartNoise * restartNoise, 4
	robust, freedom := scatterOf(logs), float64(len(logs)-1)
	own := robust * robust
	if len(logs) > 1 {
		own = min(own, stat.Variance(logs, nil))
	}
	return max(usual, (usualCount*usual+freedom*own)/(usualCount+freedom))
}

// Lost is how much training the next restart throws away, if it comes at no particular moment.
// Nothing is known of it before the first restart that kept something: it is then zero, and Unknown.
func (r *Restarts) Lost() Estimate {
	var lost []float64
	for _, cost := range r.known() {
		if !cost.Scratch {
			lost = append(lost, float64(cost.Lost))
		}
	}
	if len(lost) == 0 {
		return Estimate{Trust: Unknown}
	}
	slices.Sort(lost)
	at := func(p float64) float64 { return lost[int(p*float64(len(lost)-1)+0.5)] }
	return Estimate{at(0.05), middle(lost), max(at(0.95), middle(lost)), Measured}
}

// Cost is pause and lost work together.
func (r *Restarts) Cost() Estimate {
	pause, lost := r.Pause(), r.Lost()
	return Estimate{pause.Low + lost.Low, pause.Median + lost.Median, pause.High + lost.High, pause.Trust}
}

// inOrder are the restarts that are kept, the oldest first.
func (r *Restarts) inOrder() []Cost {
	if len(r.recent) < window {
		return slices.Clone(r.recent)
	}
	oldest := int(r.count % window)
	return slices.Concat(r.recent[oldest:], r.recent[:oldest])
}
