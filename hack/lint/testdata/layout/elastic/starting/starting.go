package starting

import (
	_ "github.com/takt-dev/takt/elastic/coretime" // want depguard "nothing that goes by its decisions"
	_ "github.com/takt-dev/takt/predictor"        // want depguard "from list elastic"
)
