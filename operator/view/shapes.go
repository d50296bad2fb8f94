package view

import (
	"cmp"
	"strings"

	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/predictor"
)

// Packed is how a job runs at a size, on as few nodes as may be.
func Packed(workers, perNode int, gpu string) predictor.Shape {
	return predictor.Shape{Workers: predictor.Workers(workers), Nodes: (workers + perNode - 1) / perNode, GPU: gpu}
}

// Further are shapes with more workers than a job was last planned with, as far as a prediction is worth anything:
// those that it may have, and such as it might be allowed in addition.
func (s *Subject) Further() (further []predictor.Shape) {
	const times = 4 // the greatest size; the predictor trusts itself less far than that
	shapes, perNode := s.Known.Sizes()
	if len(shapes) == 0 {
		return nil
	}
	greatest := shapes[len(shapes)-1]
	for _, workers := range s.reach().Above(resize.Workers(greatest.Workers), times*resize.Workers(greatest.Workers)) {
		shape := Packed(int(workers), perNode, greatest.GPU)
		shape.Nodes = max(shape.Nodes, greatest.Nodes)
		further = append(further, shape)
	}
	return further
}

// GPUName is the GPUs of a pool as profiles name them: the taints of a pool do not make it faster.
func GPUName(pool string) string {
	product, _, _ := strings.Cut(pool, " (")
	return cmp.Or(product, "unknown")
}
