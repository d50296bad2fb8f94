package settings

import (
	_ "github.com/takt-dev/takt/operator/kind" // want depguard "but that of the agent"
	_ "github.com/takt-dev/takt/operator/wrapping"
)
