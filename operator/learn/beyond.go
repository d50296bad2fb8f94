package learn

import (
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/predictor"
)

// Beyond predicts shapes that the job may not have, the smaller first, up to the first of which nobody can tell
// anything.
func (r *Run) Beyond(shapes []predictor.Shape) (sizes []elastic.Size) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, shape := range shapes {
		shape = plain(shape)
		rate, known := r.rate(shape)
		if !known {
			break
		}
		sizes = append(sizes, r.sizeIn(shape, rate))
	}
	return sizes
}
