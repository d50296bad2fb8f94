package predictor

import (
	"math"
	"testing"
)

// What has taken longer than is usual is expected to go on for as long as those do that have.
func TestWhatTakesLongerMayTakeLongerStill(t *testing.T) {
	e := Estimate{Low: 1, Median: 5, High: 20, Trust: Measured}
	if got := e.Past(0); got != e {
		t.Errorf("at its beginning it takes %+v", got)
	}
	for _, passed := range []float64{0.5, 5, 20, 60} {
		left := e.Past(passed)
		gone := e.Below(passed)
		for p, of := range map[float64]float64{0.05: left.Low, 0.5: left.Median, 0.95: left.High} {
			if got := (e.Below(passed+of) - gone) / (1 - gone); math.Abs(got-p) > 1e-6 {
				t.Errorf("after %g: %g more are enough with a probability of %g, want %g", passed, of, got, p)
			}
		}
	}
}
