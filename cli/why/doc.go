// Package why says of one job in words why it has its size, what it would need to be on time, and who holds the GPUs.
//
// What comes in are the job, its resizes, and, where they may be seen, the snapshot of the planner; what goes out is
// prose. It knows of no cluster.
package why
