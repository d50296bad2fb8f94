package begin

import (
	_ "github.com/takt-dev/takt/elastic/resize"
	_ "github.com/takt-dev/takt/elastic/starting" // want depguard "to whom it yields"
	_ "github.com/takt-dev/takt/elastic/yield"
)
