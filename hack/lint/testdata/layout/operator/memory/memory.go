package memory

import (
	_ "github.com/takt-dev/takt/operator/changes" // want depguard "on what is found out alone"
	_ "github.com/takt-dev/takt/operator/view"    // want depguard "on what is found out alone"
)
