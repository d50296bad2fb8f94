// Package predictor learns how fast a training job runs at each size, and says how sure it is.
//
// The logarithm of the time of one step is modelled as
//
//	log T(shape) = log F(shape; θ) + g(shape) + noise
//
// F is a form with few parameters, each of which means something: the time of computing a batch,
// of exchanging gradients within a node and between nodes, and how much of one hides behind the
// other. There are three forms (two for all-reduce, one for parameter servers, which is taken to
// be unlikely until a job is said to have some); each is fitted, and their predictions are
// weighted by how likely they make what was seen. g is a Gaussian process: what the form cannot
// express, learned from the shapes measured nearby. The noise has heavy tails, so that a straggler
// or a slow first step bends nothing.
//
// All is Bayesian with priors relative to the job's own scale: what the data cannot identify
// stays at its prior, and its uncertainty reaches the interval. How large g is, and how large the
// noise is, each for computing and for the network, is learned too: the intervals of a job that
// scatters are wide and those of a steady job narrow, also if no form describes the steady one.
//
// The package is pure: time is a value that is given, and the same observations in the same
// order lead to the same prediction. Cost in time and memory does not grow with the number of
// observations: each shape keeps a short window of them, and the mean of what was before that as long as its speed has
// not clearly changed; and the number of shapes is bounded.
//
// What comes in are step times, progress and the cost of restarts, at some shapes; what goes out are estimates of the
// same at any shape, each with how sure it is, and profiles from which later models begin.
package predictor

// Seconds is a span of time, or a moment counted from any fixed origin.
type Seconds float64

// Fraction is a part of the whole job, from 0 to 1.
type Fraction float64

// Workers is a number of workers.
type Workers int

// Work is an amount of training. A step of a shape does Workers × Batch of it. Any unit does
// (samples, or parts of the job), if it is the same wherever a model is told or asked something.
type Work float64

// Rate is work per second.
type Rate float64
