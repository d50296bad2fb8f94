package resize

import (
	_ "github.com/takt-dev/takt/elastic"
	_ "github.com/takt-dev/takt/elastic/coretime" // want depguard "the words of the planner alone"
)
