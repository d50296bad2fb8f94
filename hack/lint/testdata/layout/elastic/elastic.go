package elastic

import (
	"math/rand"
	"time"

	_ "k8s.io/client-go"               // want depguard "from list elastic"
	_ "sigs.k8s.io/controller-runtime" // want depguard "from list elastic"

	_ "github.com/takt-dev/takt/elastic/scenario" // want depguard "nothing that goes by its decisions"
)

func now() time.Time { return time.Now() } // want forbidigo "takes the time as a value"

func shuffle() []int { return rand.Perm(3) } // want forbidigo "draws from a source"
