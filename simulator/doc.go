// Package simulator replays traces of training jobs under scheduling policies, by discrete events,
// and counts the deadlines that are met, beside the bound that no policy can beat.
//
// [ReadTrace] and [ReadSpeeds] read published traces and measured speeds. [Cluster.Run] replays the
// jobs under a [Policy], which knows of their speeds what a [Predictor] tells it: the [Oracle], or
// the [Learner], which sees nothing but progress. [NewBound] is the bound.
//
// It is pure: it knows nothing of Kubernetes, takes its input from readers, and never asks for
// the time.
//
// What comes in are a trace, speeds and a policy; what goes out are the deadlines that are met, what has happened to
// each job, and the bound.
package simulator

// Seconds is a moment or a span of simulated time.
type Seconds float64

// GPUs is a number of GPUs; a fraction of one is a share of its time.
type GPUs float64

// Iterations is an amount of training work.
type Iterations float64
