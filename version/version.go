package version

import (
	"cmp"
	"runtime/debug"
)

// stamped is the version that a release gives its programs:
//
//	go build -ldflags "-X github.com/takt-dev/takt/version.stamped=v0.1.0"
var stamped string

// Of is the version of this program: what was stamped on it, else the commit that Go built it from.
func Of() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return cmp.Or(stamped, info.Main.Version, "unknown")
}
