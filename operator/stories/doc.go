// Package stories lets an operator look after trainings for hours, on a clock of its own: those of the zoo, with all
// habits of real ones, and single ones whose operator is killed all the time.
//
// It has tests alone. Those that play for more than an hour are called TestStory, and play without the race detector.
// The loop of the zoo (loop_test.go) has the rooms called as the manager does, one after the other.
//
// What comes in is a training and what befalls it; what goes out is a test that fails where the operator does what it
// never should, or does not see what there is to be seen.
package stories
