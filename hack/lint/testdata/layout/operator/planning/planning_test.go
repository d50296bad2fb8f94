package planning_test

import (
	_ "github.com/takt-dev/takt/operator/fixture"
	_ "github.com/takt-dev/takt/operator/rooms"
)
