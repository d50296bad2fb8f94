package main

import (
	"cmp"
	"runtime/debug"
)

// version is what the program was built from, as Go noted it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	return cmp.Or(info.Main.Version, "unknown")
}
