package predictor

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

const (
	outlierFreedom = 4.0                // degrees of freedom of the noise: the fewer, the heavier its tails
	studentZ90     = 2.1318467863266499 // half an interval of 90 % with so many
)

// sample is one shape as the fit sees it.
type sample struct {
	place
	relative float64 // batch, relative to the typical one
	log      float64 // of the step time
	scatter  float64 // variance of one observation, as seen from several
	weight   float64 // how many observations the log stands for
	// watched is the part of all the time in which the job was watched at all that it was watched in this shape. What it
	// did for so long is no outlier.
	watched float64
	offset  int // which parameter is the factor of its type of GPU; -1 for the reference
}

// fitted is one form fitted to the samples: a trend whose parameters are uncertain, and a
// Gaussian process on what it leaves.
type fitted struct {
	form     form
	likely   *Prior
	own      int // parameters of the form; after them, a factor for each further type of GPU
	theta    []float64
	levels   levels    // of kernel and noise
	weights  []float64 // of the samples: an outlier's is near 0
	residual []float64
	pull     []float64 // K⁻¹·residual
	evidence float64   // log of how likely the form makes the samples

	samples    []sample
	gradient   []float64     // of the trend, a row for each sample
	inverse    *mat.SymDense // K⁻¹
	logDet     float64       // of K
	smoothed   *mat.Dense    // K⁻¹·gradient
	covariance *mat.SymDense // of the parameters
}

// spread is the variance with which the log of a sample tells what its shape does. The parts are those of it that have
// levels: none if the scatter that was seen is all of it.
func (f *fitted) spread(of *sample) (variance float64, parts levels) {
	f.likely.addNoise(&parts, &of.place, (1-shapeShare)/of.weight)
	variance = f.levels.dot(&parts)
	if seen := of.scatter / of.weight; seen > variance {
		return seen, levels{}
	}
	return variance, parts
}

// trendAt is the trend at one sample. It writes the gradient to row.
func (f *fitted) trendAt(theta []float64, at *sample, row []float64) (log, exposed float64) {
	log, exposed = f.form.logTime(theta[:f.own], at.shape, at.relative, row[:f.own])
	clear(row[f.own:])
	if at.offset >= 0 {
		log += theta[f.own+at.offset]
		row[f.own+at.offset] = 1
	}
	return log, exposed
}

// predict is the mean and the variance of the logarithm of the step time in the next run. The
// more often this job ran the shape, the better is known how it does.
func (f *fitted) predict(at sample) (mean, variance float64) {
	n, p := len(f.samples), len(f.theta)
	buffer := make([]float64, 2*n+p)
	near, gain, row := buffer[:n], buffer[n:2*n], buffer[2*n:]
	mean, at.exposed = f.trendAt(f.theta, &at, row)
	for i := range near {
		covariance := f.likely.kernel(&f.samples[i].place, &at.place)
		near[i] = f.levels.dot(&covariance)
		mean += near[i] * f.pull[i]
	}
	raw := f.inverse.RawSymmetric()
	for i := range n {
		line := raw.Data[i*raw.Stride:]
		gain[i] += line[i] * near[i]
		for j := i + 1; j < n; j++ {
			gain[i] += line[j] * near[j]
			gain[j] += line[j] * near[i]
		}
	}
	// The interval of 90 % of noise with these tails is that of a normal law with this variance.
	const heavyTails = (studentZ90 / z90) * (studentZ90 / z90)
	own := f.likely.kernel(&at.place, &at.place)
	f.likely.addNoise(&own, &at.place, heavyTails*(1-shapeShare)/(1+at.weight))
	variance = f.levels.dot(&own)
	for i := range n {
		variance -= near[i] * gain[i]
		for j := range p {
			row[j] -= gain[i] * f.gradient[i*p+j]
		}
	}
	return mean, max(variance, 0) + quadratic(f.covariance, row)
}

// quadratic is xᵀ·m·x.
func quadratic(m *mat.SymDense, x []float64) float64 {
	raw := m.RawSymmetric()
	sum := 0.0
	for i, xi := range x {
		row := raw.Data[i*raw.Stride:]
		sum += xi * xi * row[i]
		for j := i + 1; j < len(x); j++ {
			sum += 2 * xi * row[j] * x[j]
		}
	}
	return math.Max(sum, 0)
}
