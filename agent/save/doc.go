// Package save asks the training for a checkpoint, in the way that its job says.
//
// What comes in is that way, as text, and the number of a request; what goes out is a signal to those processes of the
// training that do something about it, or a file, or why neither could be.
package save
