package agent

import (
	_ "net/http"
	"time"

	_ "github.com/takt-dev/takt/predictor" // want depguard "from list agent"
	_ "github.com/takt-dev/takt/printed"
	_ "gonum.org/v1/gonum"  // want depguard "from list agent"
	_ "k8s.io/apimachinery" // want depguard "from list agent"
)

func now() time.Time { return time.Now() }
