package plugin

import (
	_ "k8s.io/kubernetes"

	_ "github.com/takt-dev/takt/scheduler/gang"
	_ "github.com/takt-dev/takt/scheduler/newbook" // want depguard "and nothing else"
)
