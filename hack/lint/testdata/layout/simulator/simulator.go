package simulator

import (
	"time"

	_ "github.com/takt-dev/takt/elastic"
	_ "github.com/takt-dev/takt/elastic/scenario" // want depguard "only tests play"
	_ "github.com/takt-dev/takt/operator"         // want depguard "nothing imports the operator"
	_ "k8s.io/client-go"                          // want depguard "from list simulator"
)

func deadline() *time.Timer { return time.NewTimer(time.Hour) } // want forbidigo "takes the time as a value"
