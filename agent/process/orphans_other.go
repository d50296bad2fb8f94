//go:build !linux

package process

// adoptOrphans does nothing: only Linux has pods.
func adoptOrphans() {}
