package progress

import (
	_ "github.com/takt-dev/takt/operator/kind"
	_ "github.com/takt-dev/takt/operator/learn" // want depguard "nobody who learns from it"
)
