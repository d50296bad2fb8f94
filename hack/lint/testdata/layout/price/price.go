package price

import (
	_ "regexp"
	"time"

	_ "github.com/google/go-cmp"         // want depguard "from list price"
	_ "github.com/takt-dev/takt/elastic" // want depguard "from list price"
	_ "k8s.io/apimachinery"              // want depguard "from list price"
)

func now() time.Time { return time.Now() } // want forbidigo "takes the time as a value"
