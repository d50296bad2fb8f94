package predictor

import "math"

// Trust says what an estimate rests on.
type Trust int

// From the least to the most.
const (
	// Unknown: more than twice the largest size that was seen, a type of GPU that was never
	// seen, or nothing was measured at all.
	Unknown Trust = iota
	// Extrapolated: outside of what was measured.
	Extrapolated
	// Interpolated: between shapes that were measured.
	Interpolated
	// Measured: this very shape ran.
	Measured
)

func (t Trust) String() string {
	switch t {
	case Measured:
		return "Measured"
	case Interpolated:
		return "Interpolated"
	case Extrapolated:
		return "Extrapolated"
	default:
		return "Unknown"
	}
}

// Estimate is a positive quantity that is not known exactly: with a probability of 90 % it is
// between Low and High. 0 < Low <= Median <= High.
type Estimate struct {
	Low, Median, High float64
	Trust             Trust
}

// z90 is half the width of an interval of 90 %, in standard deviations.
const z90 = 1.6448536269514722

// newEstimate is log-normal.
func newEstimate(log, variance float64, trust Trust) Estimate {
	half := z90 * math.Sqrt(variance)
	return Estimate{math.Exp(log - half), math.Exp(log), math.Exp(log + half), trust}
}

// deviation is the standard deviation of the logarithm.
func (e Estimate) deviation() float64 { return math.Log(e.High/e.Low) / (2 * z90) }

// Quantile is the value that the quantity is below with probability p, 0 < p < 1.
func (e Estimate) Quantile(p float64) float64 {
	return e.Median * math.Exp(e.deviation()*math.Sqrt2*math.Erfinv(2*p-1))
}

// Below is the probability that the quantity is at most limit.
func (e Estimate) Below(limit float64) float64 {
	if !(limit > 0) {
		return 0
	}
	deviation := e.deviation()
	if !(deviation > 0) {
		if e.Median <= limit {
			return 1
		}
		return 0
	}
	return math.Erfc(math.Log(e.Median/limit)/(deviation*math.Sqrt2)) / 2
}

// Scaled is the estimate of factor times the quantity, factor > 0.
func (e Estimate) Scaled(factor float64) Estimate {
	return Estimate{e.Low * factor, e.Median * factor, e.High * factor, e.Trust}
}

// Inverse is the estimate of factor divided by the quantity, factor > 0.
func (e Estimate) Inverse(factor float64) Estimate {
	return Estimate{factor / e.High, factor / e.Median, factor / e.Low, e.Trust}
}
