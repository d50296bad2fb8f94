package ending

import (
	_ "github.com/takt-dev/takt/elastic"
	_ "github.com/takt-dev/takt/elastic/outsiders" // want depguard "the planner and resizes alone"
	_ "github.com/takt-dev/takt/elastic/resize"
)
