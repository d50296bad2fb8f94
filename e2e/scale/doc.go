// Package scale plays many jobs on a control plane of its own: two hundred with deadlines beside the same
// ones of fixed sizes, as a test; and up to thousands, for the benchmarks that make bench-operator runs.
package scale
