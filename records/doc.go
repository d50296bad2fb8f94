// Package records says what is kept of a job once it has ended, how it is written down, and how much of it.
//
// What comes in are records, and texts that were written before; what goes out is the same, bounded. It asks nobody
// and writes nothing: operator/recording does. records/replay makes a trace of it for takt sim.
package records
