// Package volume keeps records of jobs that have ended in a folder, for longer than there is room in the cluster.
//
// What comes in are records; what goes out are files, one for each namespace and month, which are replaced as a whole:
// whoever dies in between leaves what was there. It knows of no cluster.
package volume
