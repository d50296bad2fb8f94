// Package timeline draws the life of one job as text: its workers over time, how far it is, and its deadline.
//
// What comes in are the job, its resizes, the time and a width; what goes out are lines. It knows of no cluster and of
// no terminal.
package timeline
