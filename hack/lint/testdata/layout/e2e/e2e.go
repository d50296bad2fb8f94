package e2e

import (
	_ "github.com/takt-dev/takt/operator"
	_ "k8s.io/client-go"
	_ "k8s.io/kubernetes" // want depguard "only the scheduler and the control plane"
)
