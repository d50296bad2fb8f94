package cached

import (
	_ "github.com/takt-dev/takt/operator/installed" // want depguard "of nothing else that is"
	_ "github.com/takt-dev/takt/operator/kind/known"
)
