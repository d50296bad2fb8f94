package learn

import (
	_ "github.com/takt-dev/takt/operator/cached" // want depguard "knows of no job as a whole"
	_ "github.com/takt-dev/takt/operator/page"   // want depguard "knows of no job as a whole"
)
