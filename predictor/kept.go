package predictor

import (
	"math"
	"slices"
)

// KeptProgress is what a Progress has seen, in a form that can be stored, so that another process goes on from it.
type KeptProgress struct {
	Shape      Shape     `json:"shape"`
	At         Seconds   `json:"at"`
	Done       Fraction  `json:"done"`
	Asked      bool      `json:"asked,omitempty"`
	Anchored   bool      `json:"anchored,omitempty"`
	AnchorAt   Seconds   `json:"anchorAt,omitempty"`
	AnchorDone Fraction  `json:"anchorDone,omitempty"`
	Changed    Seconds   `json:"changed"`
	Far        Fraction  `json:"far"`
	FarAt      Seconds   `json:"farAt"`
	Leapt      bool      `json:"leapt,omitempty"`
	Faster     bool      `json:"faster,omitempty"`
	Rates      []float64 `json:"rates,omitempty"`
	Advances   []float64 `json:"advances,omitempty"`
	Readings   []float64 `json:"readings,omitempty"`
	Moved      int       `json:"moved,omitempty"`
	Began      Seconds   `json:"began,omitempty"`
	Pause      Seconds   `json:"pause,omitempty"`
	SlowStart  Seconds   `json:"slowStart,omitempty"`
}

// Keep is what the counter has shown; false before the first reading.
func (p *Progress) Keep() (KeptProgress, bool) {
	k := KeptProgress{
		Shape: p.shape, At: p.at, Done: p.done, Asked: p.asked,
		Anchored: p.anchored, AnchorAt: p.anchorAt, AnchorDone: p.anchorDone, Changed: p.changed,
		Far: p.far, FarAt: p.farAt, Leapt: p.leapt, Faster: p.faster,
		Rates: inOrder(p.rates.values[:], p.rates.count), Advances: p.advances.keep(), Readings: p.readings.keep(),
		Moved: p.moved, Began: p.began, Pause: p.pause, SlowStart: p.slowStart,
	}
	return k, p.started
}

// Progress goes on from what was kept; an error says what makes no sense.
func (k KeptProgress) Progress() (Progress, error) {
	if _, err := k.Shape.normal(); err != nil {
		return Progress{}, err
	}
	for _, at := range []Seconds{k.At, k.AnchorAt, k.Changed, k.FarAt, k.Began, k.Pause, k.SlowStart} {
		if !(math.Abs(float64(at)) <= float64(maxStep)) {
			return Progress{}, &ValueError{"a time of the counter", float64(at), ErrOutOfRange}
		}
	}
	for _, done := range []Fraction{k.Done, k.AnchorDone, k.Far} {
		if !(done >= 0 && done <= 1) {
			return Progress{}, &ValueError{"a share of the counter", float64(done), ErrOutOfRange}
		}
	}
	if k.Anchored && (k.AnchorAt > k.At || k.AnchorDone > k.Done) {
		return Progress{}, &ValueError{"the last advance of the counter", float64(k.AnchorAt), ErrOutOfRange}
	}
	p := Progress{
		started: true, shape: k.Shape, at: k.At, done: k.Done, asked: k.Asked,
		anchored: k.Anchored, anchorAt: k.AnchorAt, anchorDone: k.AnchorDone, changed: k.Changed,
		far: k.Far, farAt: k.FarAt, leapt: k.Leapt, faster: k.Faster,
		moved: max(k.Moved, 0), began: k.Began, pause: max(k.Pause, 0), slowStart: max(k.SlowStart, 0),
	}
	for _, rate := range k.Rates {
		if !(rate > 0) || math.IsInf(rate, 1) {
			return Progress{}, &ValueError{"a rate of the counter", rate, ErrNotGreater}
		}
		p.rates.add(rate)
	}
	p.advances.take(k.Advances)
	p.readings.take(k.Readings)
	return p, nil
}

// keep are the gaps that tell the cadence, the oldest first.
func (c *Cadence) keep() []float64 { return inOrder(c.gaps[:], c.count) }

// take takes gaps that were kept.
func (c *Cadence) take(gaps []float64) {
	for _, gap := range gaps[max(0, len(gaps)-cadenceWindow):] {
		if gap > 0 && gap <= float64(maxStep) {
			c.gaps[c.count%cadenceWindow] = gap
			c.count++
		}
	}
}

// inOrder are the values of a ring, of which so many were written, the oldest first.
func inOrder(ring []float64, count int) []float64 {
	if count <= len(ring) {
		return slices.Clone(ring[:count])
	}
	oldest := count % len(ring)
	return slices.Concat(ring[oldest:], ring[:oldest])
}

// Stride is what was done in some time without a hole.
type Stride struct {
	Over    Seconds
	Work    Work
	Silence Seconds // the longest between two advances in it
}

// Empty says that nothing is known of the pace, and so there is nothing to keep.
func (p *Pace) Empty() bool { return len(p.strides) == 0 }

// Keep is what is known of the pace in a number of strides at the most, the oldest first, and when the last of
// them has ended. The times between pauses are told with fewer of them, and the pauses as they are.
func (p *Pace) Keep(most int) (strides []Stride, end Seconds) {
	fewer := Pace{slices.Clone(p.strides)}
	for len(fewer.strides) > max(most, 1) {
		fewer.join(1)
	}
	for _, s := range fewer.strides {
		strides, end = append(strides, Stride{Seconds(s.over), Work(s.work), Seconds(s.silence)}), s.end
	}
	return strides, end
}

// PaceOf goes on from strides that were kept, of which the last has ended at a moment. Those that make no sense
// are left out.
func PaceOf(strides []Stride, end Seconds) Pace {
	var p Pace
	for _, s := range strides {
		p.Add(end, s.Over, s.Work)
		if n := len(p.strides); n > 0 && s.Silence > 0 && s.Silence <= s.Over {
			p.strides[n-1].silence = float64(s.Silence)
		}
	}
	for i := range slices.Backward(p.strides) { // those before the last end where the next begins, or sooner
		p.strides[i].end = end
		end -= Seconds(p.strides[i].over)
	}
	return p
}
