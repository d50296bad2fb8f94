// Package faults lets an operator meet what goes wrong between it and the API server: its process
// dies between any two writes, what it reads is old, what it is told of is lost, told twice or out of
// order, and its writes are refused, or are done and seem not to be.
//
// An Injector runs an operator and stands between it and its client and cache. The same faults come
// in every run of a seed, as far as the operator does the same.
package faults
