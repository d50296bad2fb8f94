// Package memory is what the process remembers of jobs between two looks at them, by concern: what was read, what was
// decided, what hinders, how busy the GPUs are, what is written.
//
// What comes in is what a room has just found out of a job; what goes out is what that room, or another, asks for
// later. All of it may be lost: a fresh process learns it anew, or finds it in the cluster. It reads nothing and writes
// nothing.
package memory
