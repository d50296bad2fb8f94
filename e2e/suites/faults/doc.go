// Package faults lets an operator meet what goes wrong between it and the API server: its process
// dies between any two writes, what it reads is old, what it is told of is lost, told twice or out of
// order, and its writes are refused, or are done and seem not to be.
//
// An Injector runs an operator and stands between it and its client and cache. The same faults come
// in every run of a seed, as far as the operator does the same.
//
// What comes in are a seed, and which faults there are and how often; what goes out is an operator for the worlds of
// tests, and what it has met and written.
//
// Where its time goes, alone on two processors: 164 s for the sample, of which 64 % are
// waiting: most of it until a job counts as silent, until nothing was written for long enough, and for leases to
// run out. The API server and etcd have 18 %, the tests and Takt 10 %.
package faults
