package records

import (
	_ "regexp"
	"time"

	_ "github.com/takt-dev/takt/elastic" // want depguard "from list records"
	_ "k8s.io/apimachinery"              // want depguard "from list records"
)

func now() time.Time { return time.Now() } // want forbidigo "takes the time as a value"
