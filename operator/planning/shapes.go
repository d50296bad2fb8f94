package planning

import (
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/predictor"
)

// shapes are the sizes of a job as it runs with them in a pool: workers that it keeps stay where they are. If it is
// cold, all of another size begin anew, on as few nodes as may be.
func (sc *Scene) shapes(pool string, job *elastic.Job, sizes []resize.Workers, cold bool) []predictor.Shape {
	var shapes []predictor.Shape
	perNode := sc.perNode(pool, job)
	for _, size := range sizes {
		shape := view.Packed(int(size), perNode, view.GPUName(pool))
		if stays := !cold || int(size) == len(job.On); pool == job.Pool && stays {
			shape.Nodes = max(shape.Nodes, distinct(job.On[:min(int(size), len(job.On))]))
		}
		shapes = append(shapes, shape)
	}
	return shapes
}

// distinct is how many nodes are named.
func distinct(nodes []string) int {
	names := map[string]bool{}
	for _, name := range nodes {
		names[name] = true
	}
	return len(names)
}

// perNode is how many workers of a job the largest node of a pool has room for.
func (sc *Scene) perNode(pool string, job *elastic.Job) int {
	per := int(sc.largest[pool]) / max(int(job.GPUsPerWorker), 1)
	if job.Site != "" {
		most, _ := sc.Supply.MostOnOne(job.Site)
		per = min(per, int(most))
	}
	return max(per, 1)
}
