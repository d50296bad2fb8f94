// Package scheduler measures how fast schedulers are: takt-scheduler beside kube-scheduler of the same release,
// by turns on one cluster of 1,000 nodes. make bench-scheduler runs it.
//
// What comes in are pods and gangs that wait; what goes out is what docs/benchmarks.md tells of the scheduler.
package scheduler
