package page

import (
	"math"

	"github.com/takt-dev/takt/simulator"
)

// buckets is a sum over time, kept by spans of equal length.
type buckets struct {
	span
	sums []float64
}

func newBuckets(s span, n int) buckets { return buckets{s, make([]float64, n)} }

func (b buckets) width() simulator.Seconds { return b.length() / simulator.Seconds(len(b.sums)) }

// add spreads so many GPUs over the time from one moment to another.
func (b buckets) add(from, to simulator.Seconds, gpus float64) {
	width := b.width()
	from, to = max(from, b.from), min(to, b.to)
	for i := b.index(from); i < len(b.sums) && from < to; i++ {
		until := min(to, b.from+simulator.Seconds(i+1)*width)
		b.sums[i] += float64(until-from) * gpus
		from = until
	}
}

// index is the bucket that a moment falls into. The end falls into the last.
func (b buckets) index(at simulator.Seconds) int {
	i := int(math.Floor(b.x(at, float64(len(b.sums)))))
	return min(max(i, 0), len(b.sums)-1)
}

// usage is how many GPUs were held over time, and how many of these paused.
type usage struct {
	held, paused buckets
	known        bool // whether pauses can be told from the changes
}

// newUsage adds up spells. Policies that come with their own price of a decision pause otherwise
// than the changes tell; then the sum differs from the hours lost, and only the sum is true.
func newUsage(s span, n int, all []spell, cost simulator.Seconds, hoursLost float64) usage {
	u := usage{held: newBuckets(s, n), paused: newBuckets(s, n)}
	lost := 0.0
	for _, spell := range all {
		again := spell.paused(cost)
		u.held.add(spell.from, spell.to, float64(spell.gpus))
		u.paused.add(spell.from, again, float64(spell.gpus))
		lost += float64(again-spell.from) * float64(spell.gpus) / 3600
	}
	u.known = math.Abs(lost-hoursLost) <= 0.01*hoursLost+0.01
	return u
}

// outline is the step line over the values of the buckets, closed along the bottom; full is the
// value at the top.
func (b buckets) outline(full, width, height float64) string {
	path := newPath(0, height)
	for i, sum := range b.sums {
		mean := sum / float64(b.width())
		path.vertical(height * (1 - mean/full))
		path.horizontal(width * float64(i+1) / float64(len(b.sums)))
	}
	path.vertical(height)
	return path.close()
}
