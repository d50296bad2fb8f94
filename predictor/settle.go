package predictor

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// settleLevels learns the levels of the variance, and how much of an outlier each sample is, from what the form leaves,
// in which the uncertainty of the parameters counts. It returns by how much the logarithm of a level has moved at most.
func (s *search) settleLevels() (moved float64) {
	n, p := len(s.samples), len(s.prior)
	s.covariance.CopySym(s.precision)
	if _, ok := invert(s.covariance); !ok {
		return 0
	}
	var uncertain mat.Dense // K⁻¹·gradient·covariance
	uncertain.Mul(s.smoothed, s.covariance)
	s.setPull()
	var seen, expected levels
	for i := range n {
		for j := i; j < n; j++ {
			known := s.inverse.At(i, j)
			for k := range p {
				known -= uncertain.At(i, k) * s.smoothed.At(j, k)
			}
			covariance, times := s.kernels[i*n+j], 2.0
			if i == j {
				times = 1
				spread, parts := s.spread(&s.samples[i])
				for k := range parts {
					covariance[k] += parts[k] / s.weights[i]
				}
				s.weights[i] = max(weightOf(spread, spread/s.weights[i], s.pull[i], known), s.samples[i].watched)
			}
			for k := range covariance {
				seen[k] += times * covariance[k] * s.pull[i] * s.pull[j]
				expected[k] += times * covariance[k] * known
			}
		}
	}
	return s.stepLevels(&seen, &expected)
}

// weightOf is the weight of a sample: a usual one has 1. Own is its variance with the weight that it had.
func weightOf(usual, own, pull, known float64) float64 {
	pulled := own * pull
	square := pulled*pulled + own - own*own*known
	return (outlierFreedom + 1) / (outlierFreedom + max(square, 0)/usual)
}

// stepLevels goes one step to where the residuals are as large as the levels let expect, or as near as the prior lets.
func (s *search) stepLevels(seen, expected *levels) (moved float64) {
	sure := 1 / (4 * s.likely.Level * s.likely.Level) // of the logarithm of a variance
	for k, level := range s.levels {
		wanted := max(level*expected[k], 0)
		step := (level*seen[k] - wanted - 2*sure*math.Log(level)) / (wanted + 2*sure)
		step = max(-1, min(step, 1))
		s.levels[k] *= math.Exp(step)
		moved = max(moved, math.Abs(step))
	}
	return moved
}

func (s *search) setPull() {
	raw := s.inverse.RawSymmetric()
	clear(s.pull)
	for i := range s.pull {
		row := raw.Data[i*raw.Stride:]
		s.pull[i] += row[i] * s.residual[i]
		for j := i + 1; j < len(s.pull); j++ {
			s.pull[i] += row[j] * s.residual[j]
			s.pull[j] += row[j] * s.residual[i]
		}
	}
}

// finish sets what predictions need, and the evidence by Laplace's approximation.
func (s *search) finish() bool {
	s.normalEquations()
	s.covariance.CopySym(s.precision)
	logDet, ok := invert(s.covariance)
	if !ok {
		return false
	}
	s.setPull()
	s.evidence = -quadratic(s.inverse, s.residual)/2 - s.logDet/2 - logDet/2
	for _, level := range s.levels {
		z := math.Log(level) / (2 * s.likely.Level)
		s.evidence -= z * z / 2
	}
	for i, prior := range s.prior {
		z := (s.theta[i] - prior.mean) / prior.sd
		s.evidence -= z*z/2 + math.Log(prior.sd)
	}
	return !math.IsNaN(s.evidence) && !math.IsInf(s.evidence, 0)
}
