// Package process is the one command that the agent wraps: its start, its signals, its end, and the
// orphans that come to whoever is process 1.
//
// What comes in is a command with its environment and outputs, and signals; what goes out is what the command has
// exited with, and which processes below it a signal is for.
package process
