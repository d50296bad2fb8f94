package view

import (
	"cmp"
	"slices"
	"strings"

	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/predictor"
)

// Candidates are the sizes to plan with: all of a small range, and fewer of a great one, since a plan
// does not need to tell 100 workers from 101. The present size is among them, if it is in the range.
func Candidates(least, most, present resize.Workers) []resize.Workers {
	var sizes []resize.Workers
	for size, step := least, resize.Workers(1); size <= most; size += step {
		sizes = append(sizes, size)
		if size >= 16 {
			step = size / 8
		}
	}
	if n := len(sizes); n > 0 && sizes[n-1] != most {
		sizes = append(sizes, most)
	}
	if at, found := slices.BinarySearch(sizes, present); !found && present >= least && present <= most {
		sizes = slices.Insert(sizes, at, present)
	}
	return sizes
}

// Packed is how a job runs at a size, on as few nodes as may be.
func Packed(workers, perNode int, gpu string) predictor.Shape {
	return predictor.Shape{Workers: predictor.Workers(workers), Nodes: (workers + perNode - 1) / perNode, GPU: gpu}
}

// GPUName is the GPUs of a pool as profiles name them: the taints of a pool do not make it faster.
func GPUName(pool string) string {
	product, _, _ := strings.Cut(pool, " (")
	return cmp.Or(product, "unknown")
}
