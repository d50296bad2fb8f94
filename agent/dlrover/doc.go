// Package dlrover reads the file in which trainings tell DLRover how far they are.
//
// What comes in is the path of that file, and the time; what goes out is a count, or why there is none.
package dlrover
