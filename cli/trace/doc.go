// Package trace writes what has happened in a cluster as files that takt sim reads.
//
// What comes in are records of jobs; what goes out is a folder, and what there is to be said of it. It knows of no
// cluster.
package trace
