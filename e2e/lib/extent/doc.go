// Package extent says how much of a suite is played: in make test a sample of what there is, another one
// each time, and in make test-long all of it.
//
// What comes in is all that could be played, and the environment, which has the seed; what goes out is what is played.
// The same seed draws the same.
package extent
