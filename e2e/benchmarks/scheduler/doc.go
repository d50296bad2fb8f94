// Package scheduler measures how fast schedulers are: takt-scheduler beside kube-scheduler of the same release,
// by turns on one cluster of 1,000 nodes. make bench-scheduler runs it.
package scheduler
