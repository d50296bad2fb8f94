package predictor

import (
	"math"
	"slices"
)

// window is how many of its latest observations a shape keeps.
const window = 15

// inheritedCap is how many observations of its own outweigh all that a shape has inherited.
const inheritedCap = 3

// cell is what was seen of one shape. Its size is fixed.
type cell struct {
	at features
	// computing says that the steps were seen without their exchange of gradients, in runs of
	// more workers: they tell of one worker, which has never run.
	computing bool
	recent    [window]float64 // logarithms of step times, the oldest overwritten first
	spread    [window]float64 // their own relative standard deviations, where known
	count     uint64          // observations of its own, ever
	order     uint64          // when it was last observed, as the model counts
	// inherited is the logarithm of the step time that a profile knows, weighing as much as
	// that many observations.
	inherited, inheritedWeight float64
	// What the last fit saw.
	fittedLog, fittedVariance, fittedWeight float64
}

func (c *cell) observe(log, spread float64) {
	c.recent[c.count%window], c.spread[c.count%window] = log, spread
	c.count++
}

func (c *cell) held() int { return int(min(c.count, window)) }

// own is the median of the observations of its own, of which there is one at least.
func (c *cell) own() float64 {
	values := slices.Clone(c.recent[:c.held()])
	slices.Sort(values)
	return middle(values)
}

// summary is the median of what was seen, the variance of that median as seen from the scatter
// (relative, since these are logarithms), and how many observations it stands for.
func (c *cell) summary() (log, variance, weight float64) {
	n := c.held()
	if n == 0 {
		return c.inherited, 0, c.inheritedWeight
	}
	var sorted [window]float64
	values := sorted[:n]
	copy(values, c.recent[:n])
	slices.Sort(values)
	log = middle(values)
	deviation := scatterOf(values)
	weight = float64(n)
	told := 0.0
	for _, spread := range c.spread[:n] {
		told += spread * spread / weight
	}
	variance = max(deviation*deviation, told) / weight
	if c.inheritedWeight > 0 {
		total := weight + c.inheritedWeight
		log = (weight*log + c.inheritedWeight*c.inherited) / total
		weight = total
	}
	return log, variance, weight
}

// middle is the median of sorted values.
func middle(sorted []float64) float64 {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// scatterOf is the standard deviation by the median deviation from the median, of sorted values.
func scatterOf(sorted []float64) float64 {
	const normal = 1.4826
	center := middle(sorted)
	deviations := make([]float64, len(sorted))
	for i, value := range sorted {
		deviations[i] = math.Abs(value - center)
	}
	slices.Sort(deviations)
	return normal * middle(deviations)
}
