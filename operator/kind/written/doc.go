// Package written has the kinds of jobs as people write them, for programs that have no types of them, and what Takt
// writes on a job of any kind.
//
// In comes the name of a kind; out goes where such a job says that it is suspended, by what mark Takt knows that it was
// to start, and what was asked of it last. It knows of no cluster.
package written
