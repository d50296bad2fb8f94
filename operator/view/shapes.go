package view

import (
	"cmp"
	"strings"

	"github.com/takt-dev/takt/predictor"
)

// Packed is how a job runs at a size, on as few nodes as may be.
func Packed(workers, perNode int, gpu string) predictor.Shape {
	return predictor.Shape{Workers: predictor.Workers(workers), Nodes: (workers + perNode - 1) / perNode, GPU: gpu}
}

// GPUName is the GPUs of a pool as profiles name them: the taints of a pool do not make it faster.
func GPUName(pool string) string {
	product, _, _ := strings.Cut(pool, " (")
	return cmp.Or(product, "unknown")
}
