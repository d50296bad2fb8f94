package why

import (
	_ "k8s.io/client-go" // want depguard "from list words-of-cli"

	_ "github.com/takt-dev/takt/cli/access"       // want depguard "from list words-of-cli"
	_ "github.com/takt-dev/takt/operator/wording" // want depguard "and nothing else"
)
