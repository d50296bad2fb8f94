package outsiders

import (
	_ "github.com/takt-dev/takt/elastic"
	_ "github.com/takt-dev/takt/elastic/yield" // want depguard "the words of the planner alone"
)
