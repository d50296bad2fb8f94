package cli

import (
	_ "k8s.io/client-go"

	_ "github.com/takt-dev/takt/cli/access"
	_ "github.com/takt-dev/takt/operator/planning" // want depguard "and nothing else"
)
