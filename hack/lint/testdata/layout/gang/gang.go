package gang

import (
	"math/rand"
	"time"

	_ "k8s.io/client-go" // want depguard "from list gangs-of-scheduler"

	_ "github.com/takt-dev/takt/scheduler/order"
	_ "github.com/takt-dev/takt/scheduler/pack" // want depguard "from list gangs-of-scheduler"
)

func now() time.Time { return time.Now() } // want forbidigo "takes the time as a value"

func shuffle() []int { return rand.Perm(3) } // want forbidigo "draws from a source"
