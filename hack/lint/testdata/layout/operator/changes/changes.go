package changes

import (
	_ "github.com/takt-dev/takt/operator/cached"
	_ "github.com/takt-dev/takt/operator/writing" // want depguard "on what is found out alone"
)
