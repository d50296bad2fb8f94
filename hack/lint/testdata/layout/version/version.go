package version

import (
	_ "runtime/debug"

	_ "github.com/takt-dev/takt/elastic" // want depguard "from list version"
	_ "k8s.io/apimachinery"              // want depguard "from list version"
)
