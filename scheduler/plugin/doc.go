// Package plugin is Takt's plugin for kube-scheduler, with its gate. It places the new pods of a resize all together or
// not at all, in the order of their urgency, and packs GPUs.
//
// What comes in are pods, Resizes and the calls of the framework; what goes out are the answers to these, and what is
// written on Resizes. It is the thin shell around three packages that know no Kubernetes: gang keeps the book, order
// says who is first, pack chooses the nodes.
package plugin
