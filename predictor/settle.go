package predictor

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// settleScale learns the common scale of the variance, and how much of an outlier each sample is,
// from what the form leaves: one step of expectation and maximisation, in which the uncertainty
// of the parameters counts.
func (s *search) settleScale() {
	n, p := len(s.samples), len(s.prior)
	s.covariance.CopySym(s.precision)
	if _, ok := invert(s.covariance); !ok {
		return
	}
	var spread mat.Dense // K⁻¹·gradient·covariance
	spread.Mul(s.smoothed, s.covariance)
	s.setPull()
	sum := scaleFreedom
	for i := range n {
		sum += s.residual[i] * s.pull[i]
		for j := range p {
			sum += s.gradient[i*p+j] * spread.At(i, j)
		}
	}
	before := s.scale
	s.scale = sum / (scaleFreedom + float64(n))
	for i := range n {
		known := s.inverse.At(i, i)
		for j := range p {
			known -= spread.At(i, j) * s.smoothed.At(i, j) / before
		}
		usual := s.spread(&s.samples[i], before)
		own := usual / s.weights[i]
		pulled := own * s.pull[i]
		expected := pulled*pulled/s.scale + own - own*own*known
		s.weights[i] = (outlierFreedom + 1) / (outlierFreedom + max(expected, 0)/usual)
	}
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
	n := float64(len(s.samples))
	rest := quadratic(s.inverse, s.residual)
	s.evidence = -(scaleFreedom+n)/2*math.Log(scaleFreedom+rest) - s.logDet/2 - logDet/2
	for i, prior := range s.prior {
		z := (s.theta[i] - prior.mean) / prior.sd
		s.evidence -= z*z/2 + math.Log(prior.sd)
	}
	return !math.IsNaN(s.evidence) && !math.IsInf(s.evidence, 0)
}
