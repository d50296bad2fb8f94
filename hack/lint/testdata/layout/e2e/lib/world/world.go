package world

import (
	_ "github.com/takt-dev/takt/e2e/lib/cluster"
	_ "github.com/takt-dev/takt/e2e/lib/load"      // want depguard "no stream of jobs"
	_ "github.com/takt-dev/takt/e2e/suites/faults" // want depguard "knows of no suite"
)
