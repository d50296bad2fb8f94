// Package cli has the commands of takt that are about a cluster.
//
// What comes in is a command line; what goes out is text, or an error that says what to do. Each command is thin:
// package access reaches the cluster, usage has the flags, and tables, why, whatif, timeline, submit and doctor put
// into words what is found. Each of these knows of no other, but that they share columns and urgency.
package cli
