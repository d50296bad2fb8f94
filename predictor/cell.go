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
	// earlier is the mean of what has left the window, which stands for as many observations as earlierCount.
	earlier, earlierCount float64
	// inherited is the logarithm of the step time that a profile knows, weighing as much as
	// that many observations.
	inherited, inheritedWeight float64
	// watched is for how long it was watched that its measure tells, in seconds; 0 if observations are all there is.
	watched float64
	// What the last fit saw.
	fittedLog, fittedScatter, fittedWeight, fittedTold float64
}

func (c *cell) observe(log, spread float64) {
	at := c.count % window
	if c.count >= window {
		c.remember(c.recent[at])
	}
	c.recent[at], c.spread[at] = log, spread
	c.count++
	if c.changed() {
		c.earlierCount = 0
	}
}

// replace forgets what was observed for a measure that stands for as many observations: their mean has its spread.
func (c *cell) replace(log, spread float64, count int) {
	c.count, c.earlierCount = 0, 0
	for range count {
		c.observe(log, spread*math.Sqrt(float64(count)))
	}
}

// told is the variance of one observation as far as it came with them.
func (c *cell) told() float64 {
	told := 0.0
	for _, spread := range c.spread[:c.held()] {
		told += spread * spread / float64(c.held())
	}
	return told
}

func (c *cell) held() int { return int(min(c.count, window)) }

// own is the median of the observations of its own, of which there is one at least.
func (c *cell) own() float64 {
	values := slices.Clone(c.recent[:c.held()])
	slices.Sort(values)
	return middle(values)
}

// summary is the median of what was seen, the variance of one observation as seen from their
// scatter (relative, since these are logarithms), and how many observations the median stands for.
func (c *cell) summary() (log, scatter, weight float64) {
	n := c.held()
	if n == 0 {
		return c.inherited, 0, c.inheritedWeight
	}
	var sorted [window]float64
	values := sorted[:n]
	copy(values, c.recent[:n])
	slices.Sort(values)
	log, weight = middle(values), float64(n)
	deviation := scatterOf(values)
	scatter = deviation * deviation
	if c.earlierCount > 0 {
		log = (weight*log + c.earlierCount*c.earlier) / (weight + c.earlierCount)
		weight += c.earlierCount
	}
	if c.inheritedWeight > 0 {
		total := weight + c.inheritedWeight
		log = (weight*log + c.inheritedWeight*c.inherited) / total
		weight = total
	}
	return log, scatter, weight
}

// settledScatter is the variance of one observation, as last fitted, so that the median of many
// has that variance divided by their number. A few observations tell little of their scatter, so
// the typical scatter of the job counts as much as some of them.
func (c *cell) settledScatter(typical float64) float64 {
	const typicalCount = 4
	freedom := c.freedom()
	scatter := (freedom*c.fittedScatter + typicalCount*typical) / (freedom + typicalCount)
	if freedom > 0 {
		scatter *= math.Pi / 2 // the median of normal values scatters more than their mean
	}
	return max(scatter, c.told())
}

// freedom is how much the scatter of the cell's own observations tells: of two, one may be an
// outlier, and nothing says which.
func (c *cell) freedom() float64 {
	if c.held() < 3 {
		return 0
	}
	return float64(c.held()) - 1
}

// middle is the median of sorted values.
func middle(sorted []float64) float64 {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// scatterOf is the standard deviation by the median deviation from the median, of sorted values,
// with the usual correction for few of them.
func scatterOf(sorted []float64) float64 {
	const normal = 1.4826
	center := middle(sorted)
	deviations := make([]float64, len(sorted))
	for i, value := range sorted {
		deviations[i] = math.Abs(value - center)
	}
	slices.Sort(deviations)
	n := float64(len(sorted))
	return normal * middle(deviations) * n / (n - 0.8)
}
