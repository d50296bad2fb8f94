// Package operator measures the operator with up to thousands of jobs, on a control plane of its own.
// make bench-operator runs it.
package operator
