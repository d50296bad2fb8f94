package load

import (
	_ "github.com/takt-dev/takt/e2e/benchmarks/peers" // want depguard "knows of no benchmark"
	_ "github.com/takt-dev/takt/e2e/lib/cluster"
)
