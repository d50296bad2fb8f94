// Package peers plays the same stream of jobs under Takt and under what people would pick instead, each built from its
// own Go module and on a control plane of its own: kube-scheduler, the coscheduling of scheduler-plugins, and Kueue.
// make bench-peers runs it.
//
// What comes in is the stream of package load; what goes out is a table of how long its jobs wait and take under each.
//
// The modules beside this package are there to build the peers. Nothing else depends on them.
package peers
