// Package simulator replays traces of training jobs against scheduling policies and counts the
// deadlines that are met. So far it reads the traces and the measured speeds, and knows the bound
// that no policy can beat.
//
// It is pure: it knows nothing of Kubernetes, takes its input from readers, and never asks for
// the time.
package simulator

// Seconds is a moment or a span of simulated time.
type Seconds float64

// GPUs is a number of GPUs; a fraction of one is a share of its time.
type GPUs float64

// Iterations is an amount of training work.
type Iterations float64
