package predictor

import (
	"math"
	"slices"
)

const (
	// remembered is for how many observations what has left the window may stand: a job that is seen for days is known
	// well, and one that becomes slower bit by bit is followed all the same.
	remembered = 16 * window
	// farOff is how many deviations an observation may be from the others to count in full: an outlier counts as one
	// that is so far off.
	farOff = 2.5
	// clearlyOff is by how many deviations the window must differ from what was seen before to be of another speed.
	clearlyOff = 4.0
)

// remember keeps what leaves the window as part of a mean. An estimate that forgot it would go up and down for ever
// with the scatter of the latest readings, and whoever looks often enough would find it too good once.
func (c *cell) remember(log float64) {
	middle, deviation := c.latest()
	log = min(max(log, middle-farOff*deviation), middle+farOff*deviation)
	c.earlier = (c.earlierCount*c.earlier + log) / (c.earlierCount + 1)
	c.earlierCount = min(c.earlierCount+1, remembered)
}

// changed says that the window is clearly of another speed than what was seen before it.
func (c *cell) changed() bool {
	if c.earlierCount == 0 {
		return false
	}
	middle, deviation := c.latest()
	return math.Abs(middle-c.earlier) > clearlyOff*deviation*math.Sqrt(math.Pi/2/window+1/c.earlierCount)
}

// latest is the median of the window, and how far one observation may be from it.
func (c *cell) latest() (median, deviation float64) {
	values := slices.Clone(c.recent[:c.held()])
	slices.Sort(values)
	return middle(values), max(scatterOf(values), math.Sqrt(c.told()), settled)
}
