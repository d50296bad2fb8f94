package planning

import (
	_ "github.com/kubeflow/training-operator"             // want depguard "only operator/kind knows"
	_ "github.com/takt-dev/takt/operator/keeping"         // want depguard "joined by the wiring alone"
	_ "github.com/takt-dev/takt/operator/kind/indexedjob" // want depguard "asked for at operator/kind/known"
	_ "github.com/takt-dev/takt/operator/kind/known"
	_ "github.com/takt-dev/takt/operator/kind/kubeflow" // want depguard "asked for at operator/kind/known"
)
