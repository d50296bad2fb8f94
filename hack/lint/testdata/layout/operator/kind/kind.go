package kind

import (
	_ "github.com/kubeflow/training-operator"  // want depguard "only operator/kind knows"
	_ "github.com/takt-dev/takt/operator/view" // want depguard "knows of nobody who looks after jobs"
)
