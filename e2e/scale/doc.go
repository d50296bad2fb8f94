// Package scale measures the operator with many jobs, on a control plane of its own. It is no part of
// the ordinary tests: make bench-operator runs it, with the build tag scale. How its 200 jobs are to be
// timed so that a small machine can play them is not settled yet.
package scale
