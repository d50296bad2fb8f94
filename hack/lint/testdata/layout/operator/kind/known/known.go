package known

import (
	_ "github.com/takt-dev/takt/operator/kind/indexedjob"
	_ "github.com/takt-dev/takt/operator/kind/kubeflow"
)
