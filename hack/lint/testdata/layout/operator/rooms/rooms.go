package rooms

import (
	_ "github.com/takt-dev/takt/operator/planning"
	_ "github.com/takt-dev/takt/operator/view"
)
