// Package replay makes of records a trace that takt sim reads: the jobs as they came, and how fast each trained.
//
// What comes in are records; what goes out are tables, and how many of the jobs are guesses. It asks nobody, and knows
// of no file system.
package replay
