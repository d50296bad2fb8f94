// Package torchrun reads what a container says to torchrun.
//
// In comes a container; out goes what its command and its environment say.
package torchrun
