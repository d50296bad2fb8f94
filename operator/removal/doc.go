// Package removal takes Takt out of a cluster, so that no job waits for it afterwards: first whatever would bring more
// jobs under its care, then the hold that it has on those that there are, and its records at last.
//
// What comes in is a cluster; what goes out is the same without Takt, where the jobs run that it had stopped. It goes
// by what it finds, and each of its writes may be its last: called again it goes on from there. What it writes to a job
// is one patch, and the record of a job goes only after that.
package removal
