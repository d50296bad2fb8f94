package operator

import (
	_ "sigs.k8s.io/controller-runtime"

	_ "github.com/takt-dev/takt/operator"
)
