package printed

import (
	_ "regexp"
	"time"

	_ "github.com/google/go-cmp"         // want depguard "from list printed"
	_ "github.com/takt-dev/takt/elastic" // want depguard "from list printed"
	_ "k8s.io/apimachinery"              // want depguard "from list printed"
)

func now() time.Time { return time.Now() } // want forbidigo "takes the time as a value"
