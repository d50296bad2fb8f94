package learn

import (
	"cmp"
	"slices"
	"time"

	"github.com/takt-dev/takt/predictor"
)

// learnOfStretch holds rates back that come soon after a change, until they are many enough to tell which of them have
// the pause in them. A training may advance a few times more before it notices that its workers have changed, and
// readings come late on a busy node: such a rate is no measure of its speed, and with few others beside it would be
// taken for one. Where other sizes tell little of this one, it is still the best that there is from the second on.
func (r *Run) learnOfStretch(reading predictor.Reading, at time.Time) {
	s := &r.stretch
	if s.workers == 0 {
		r.learn(reading, at)
		return
	}
	s.held = append(s.held, heldRate{reading, at})
	early := r.early(at) && len(s.held) < keptAdvances
	if s.count <= 2 || early && r.foretold(reading.Shape) {
		return
	}
	for _, h := range afterPause(s.held) {
		r.learn(h.reading, h.at)
	}
	s.held = nil
}

// takeHeld takes the rates that were held back for the speed before a change, where there are no others. It does so
// only once the cost of the change before is settled.
func (r *Run) takeHeld() {
	s := &r.stretch
	if s.open || len(s.rates) > 0 {
		return
	}
	for _, rate := range r.heldRates() {
		s.rate(rate)
	}
}

// heldRates are those that were held back, and have no pause in them.
func (r *Run) heldRates() (rates []float64) {
	for _, h := range afterPause(r.stretch.held) {
		rates = append(rates, float64(h.reading.Rate)*r.tally.scale)
	}
	return rates
}

// early says that a moment comes so soon after a change that the pause of the change may be yet to come.
func (r *Run) early(at time.Time) bool {
	const long = 2 // pauses
	return at.Sub(r.stretch.resumedAt).Seconds() < long*r.pauseOfChange()
}

// foretold says that something like a shape was measured before.
func (r *Run) foretold(shape predictor.Shape) bool {
	for other := range r.speeds {
		if other.GPU == shape.GPU {
			return shape.Nodes == 1 || r.model.Spanned()
		}
	}
	return false
}

// heldRate is a rate that is not learned yet, and when it was read.
type heldRate struct {
	reading predictor.Reading
	at      time.Time
}

// afterPause are those of some rates that follow each other from the first on that has no pause in it.
func afterPause(held []heldRate) []heldRate {
	const paused = 0.75 // of the rate that follows
	work, over := 0.0, 0.0
	for i, h := range slices.Backward(held) {
		if over > 0 && (float64(h.reading.Rate) < paused*work/over || h.reading.Shape != held[i+1].reading.Shape) {
			return held[i+1:]
		}
		work, over = work+float64(h.reading.Rate)*float64(h.reading.Over), over+float64(h.reading.Over)
	}
	return held
}

// pauseOfChange is how long the training may pause as its size changes, in seconds.
func (r *Run) pauseOfChange() float64 {
	if pause := r.heritage.prices[anyResize].pause; pause.Trust != predictor.Unknown {
		return pause.High
	}
	return cmp.Or(r.heritage.starts(), loadsFor).Seconds()
}
