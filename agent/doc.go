// Package agent wraps the command of a training pod: it holds the training back until its pod is let in, passes on its
// signals, its output and its exit, and tells how far it is. Whatever fails in here, the training goes on without it.
//
// What comes in are the arguments and the environment of the container, the annotations of its pod, and the output of
// the training. What goes out is that output as it is, what is known of the training, at a port of the pod, and what
// the container is to exit with.
package agent
