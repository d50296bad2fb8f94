package predictor

import "slices"

// Cadence learns how far apart events usually are. It is the gap in which a moment that is chosen at random
// falls, half of the time: events in bursts, or twice, hardly change it, and neither does one long pause.
// The zero value knows nothing.
type Cadence struct {
	gaps  [cadenceWindow]float64 // seconds, the oldest overwritten first
	count int
	short float64 // the sum of gaps that are too short to count for themselves
}

const (
	cadenceWindow = 15
	// A gap shorter than this part of the usual one is within a burst.
	burstPart = 1.0 / 8
)

// Add takes the time between two events.
func (c *Cadence) Add(gap Seconds) {
	if !(gap > 0) || gap > maxStep {
		return
	}
	whole := c.short + float64(gap)
	if whole < burstPart*float64(c.Typical()) {
		c.short = whole
		return
	}
	c.short = 0
	c.gaps[c.count%cadenceWindow] = whole
	c.count++
}

// Known says that there were two events at least.
func (c *Cadence) Known() bool { return c.count > 0 }

// Typical is the usual time between two events; zero while it is not known.
func (c *Cadence) Typical() Seconds {
	gaps := c.gaps
	held := gaps[:min(c.count, cadenceWindow)]
	slices.Sort(held)
	if len(held) >= 2 {
		held = held[:len(held)-1] // the longest may be a pause
	}
	half := 0.0
	for _, gap := range held {
		half += gap / 2
	}
	for _, gap := range held {
		if half -= gap; half <= 0 {
			return Seconds(gap)
		}
	}
	return 0
}
