// Package operator measures the operator with up to thousands of jobs, on a control plane of its own.
// make bench-operator runs it.
//
// What comes in is how many jobs and nodes there are; what goes out is docs/benchmarks-operator.md.
package operator
