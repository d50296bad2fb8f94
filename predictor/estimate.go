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
// between Low and High. 0 <= Low <= Median <= High. It is taken to be log-normal, each side with
// a width of its own.
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

// Quantile is the value that the quantity is below with probability p, 0 < p < 1.
func (e Estimate) Quantile(p float64) float64 {
	z := math.Sqrt2 * math.Erfinv(2*p-1) / z90
	if e.Low <= 0 {
		return e.Median
	}
	if z < 0 {
		return e.Median * math.Pow(e.Low/e.Median, -z)
	}
	return e.Median * math.Pow(e.High/e.Median, z)
}

// Below is the probability that the quantity is at most limit.
func (e Estimate) Below(limit float64) float64 {
	side := e.High / e.Median
	if limit < e.Median {
		side = e.Median / e.Low
	}
	if !(limit > 0) {
		return 0
	}
	if !(side > 1) || math.IsInf(side, 1) {
		// There is no width on this side.
		if e.Median <= limit {
			return 1
		}
		return 0
	}
	return math.Erfc(-z90*math.Log(limit/e.Median)/(math.Log(side)*math.Sqrt2)) / 2
}

// Past is the estimate of what is left of the quantity once it was seen to be more than so much: what takes longer than
// is usual may take longer still.
func (e Estimate) Past(passed float64) Estimate {
	const surely = 0.999
	if !(passed > 0) || !(e.Low > 0) {
		return e
	}
	gone := min(e.Below(passed), surely)
	left := func(p float64) float64 { return max(0, e.Quantile(gone+p*(1-gone))-passed) }
	return Estimate{left(0.05), left(0.5), left(0.95), e.Trust}
}

// Scaled is the estimate of factor times the quantity, factor > 0.
func (e Estimate) Scaled(factor float64) Estimate {
	return Estimate{e.Low * factor, e.Median * factor, e.High * factor, e.Trust}
}

// Inverse is the estimate of factor divided by the quantity, factor > 0.
func (e Estimate) Inverse(factor float64) Estimate {
	return Estimate{factor / e.High, factor / e.Median, factor / e.Low, e.Trust}
}

// Widened is the estimate of a quantity of which more is unknown: that it may be so many times smaller, or larger,
// with a probability of 90 % each by itself. Both are 1 if nothing is.
func (e Estimate) Widened(smaller, larger float64) Estimate {
	if !(e.Low > 0) {
		return e
	}
	below := math.Hypot(math.Log(e.Median/e.Low), math.Log(max(smaller, 1)))
	above := math.Hypot(math.Log(e.High/e.Median), math.Log(max(larger, 1)))
	return Estimate{e.Median * math.Exp(-below), e.Median, e.Median * math.Exp(above), e.Trust}
}
