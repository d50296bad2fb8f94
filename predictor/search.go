package predictor

import "gonum.org/v1/gonum/mat"

const (
	maxSteps    = 40
	settleEvery = 4 // steps of the optimiser between two looks at levels and outliers
)

// search is one run of the optimiser: Levenberg and Marquardt on generalised least squares.
type search struct {
	*fitted
	prior     []gaussian
	precision *mat.SymDense // of the parameters
	damped    *mat.SymDense
	side      []float64 // of the normal equations
	trial     []float64
	trialRest []float64
	row       []float64
	kernels   []levels // of all pairs of samples, as the inverse has them
}

func newSearch(f form, likely *Prior, prior []gaussian, samples []sample, start []float64) *search {
	n, p := len(samples), len(prior)
	s := &search{
		fitted: &fitted{
			form: f, likely: likely, own: len(f.prior(likely)), theta: append([]float64(nil), start...),
			levels:  levels{1, 1, 1, 1},
			samples: append([]sample(nil), samples...), weights: make([]float64, n),
			residual: make([]float64, n), pull: make([]float64, n), gradient: make([]float64, n*p),
			inverse: mat.NewSymDense(n, nil), smoothed: mat.NewDense(n, p, nil), covariance: mat.NewSymDense(p, nil),
		},
		prior: prior, precision: mat.NewSymDense(p, nil), damped: mat.NewSymDense(p, nil),
		side: make([]float64, p), trial: make([]float64, p), trialRest: make([]float64, n), row: make([]float64, p),
		kernels: make([]levels, n*n),
	}
	for i := range s.weights {
		s.weights[i] = 1
	}
	return s
}

// run goes downhill, and settles levels, outliers and kernel on the way. It says whether it came
// to an end that makes sense.
func (s *search) run() bool {
	s.setTrend()
	if !s.settleKernel() {
		return false
	}
	damping := 1e-2
	for step := range maxSteps {
		cost := s.cost(s.theta, s.residual)
		s.normalEquations()
		if !s.tryStep(damping) {
			return false
		}
		trialCost := s.cost(s.trial, s.trialRest)
		var small bool
		if trialCost < cost {
			small = cost-trialCost < 1e-3
			copy(s.theta, s.trial)
			damping = max(damping/5, 1e-6)
			s.setTrend()
		} else {
			damping *= 5
			small = damping > 1e3
		}
		if !small && step%settleEvery != settleEvery-1 {
			continue
		}
		moved := s.settleLevels()
		if !s.settleKernel() {
			return false
		}
		if small && moved < 0.05 {
			break
		}
	}
	return s.finish()
}

// setTrend sets what the form leaves, and its gradient.
func (s *search) setTrend() {
	p := len(s.prior)
	for i := range s.samples {
		at := &s.samples[i]
		log, exposed := s.trendAt(s.theta, at, s.gradient[i*p:(i+1)*p])
		at.exposed = exposed
		s.residual[i] = at.log - log
	}
}

// settleKernel inverts the covariance of the samples, which depends on how much of each step is
// network and on how much of an outlier each sample is. Within a step of the optimiser it is
// held.
func (s *search) settleKernel() bool {
	n := len(s.samples)
	for i := range n {
		for j := i; j < n; j++ {
			covariance := &s.kernels[i*n+j]
			*covariance = s.likely.kernel(&s.samples[i].place, &s.samples[j].place)
			value := s.levels.dot(covariance)
			if i == j {
				spread, _ := s.spread(&s.samples[i])
				value += spread / s.weights[i]
			}
			s.inverse.SetSym(i, j, value)
		}
	}
	var ok bool
	s.logDet, ok = invert(s.inverse)
	return ok
}

// cost is the sum of squares that is minimised, priors included.
func (s *search) cost(theta, residual []float64) float64 {
	sum := quadratic(s.inverse, residual)
	for i, prior := range s.prior {
		z := (theta[i] - prior.mean) / prior.sd
		sum += z * z
	}
	return sum
}

// normalEquations sets the precision of the parameters and the side to be solved for a step.
func (s *search) normalEquations() {
	n, p := len(s.samples), len(s.prior)
	s.smoothed.Mul(s.inverse, mat.NewDense(n, p, s.gradient))
	smoothed := s.smoothed.RawMatrix().Data
	for i, prior := range s.prior {
		toPrior := (prior.mean - s.theta[i]) / (prior.sd * prior.sd)
		for k := range n {
			toPrior += smoothed[k*p+i] * s.residual[k]
		}
		s.side[i] = toPrior
		for j := i; j < p; j++ {
			sum := 0.0
			for k := range n {
				sum += s.gradient[k*p+i] * smoothed[k*p+j]
			}
			if i == j {
				sum += 1 / (prior.sd * prior.sd)
			}
			s.precision.SetSym(i, j, sum)
		}
	}
}

// tryStep sets trial to the next parameters, and trialRest to what they leave.
func (s *search) tryStep(damping float64) bool {
	s.damped.CopySym(s.precision)
	for i := range s.trial {
		s.damped.SetSym(i, i, s.damped.At(i, i)*(1+damping))
	}
	if !solve(s.damped, s.side) {
		return false
	}
	for i, step := range s.side {
		s.trial[i] = s.theta[i] + step
	}
	for i := range s.samples {
		log, _ := s.trendAt(s.trial, &s.samples[i], s.row)
		s.trialRest[i] = s.samples[i].log - log
	}
	return true
}
