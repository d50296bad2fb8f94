package pack

import (
	"math/rand"
	"time"

	_ "k8s.io/client-go" // want depguard "from list scheduler-core"

	_ "github.com/takt-dev/takt/scheduler/order" // want depguard "from list scheduler-core"
)

func now() time.Time { return time.Now() } // want forbidigo "takes the time as a value"

func shuffle() []int { return rand.Perm(3) } // want forbidigo "draws from a source"
