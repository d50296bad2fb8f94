// Package checkpoint notices that a training has saved its state.
//
// What comes in is a path, or a pattern of one, and the time; what goes out is when a checkpoint there was completed.
// It looks at files, and opens none.
package checkpoint
