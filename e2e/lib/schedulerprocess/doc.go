// Package schedulerprocess runs schedulers as processes of their own, beside the one that a cluster has:
// takt-scheduler with the configuration that it is installed with, or kube-scheduler as it is.
//
// What comes in is a cluster, and what the configuration of a scheduler has that is not as usual; what goes out is a
// process that tests can end, and ask for its log, its metrics and its queues.
package schedulerprocess
