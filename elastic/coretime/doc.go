// Package coretime is where time as clusters tell it meets time as the core counts it.
//
// What comes in is a moment of one of them; what goes out is the same moment of the other.
package coretime
