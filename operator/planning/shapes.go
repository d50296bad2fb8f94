package planning

import (
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/predictor"
)

// shapes are the sizes of a job as it runs with them in a pool: on as few nodes as may be; or, where it runs already,
// on as few as there is room on at present beside others.
func (sc *Scene) shapes(pool string, job *elastic.Job, on []string, sizes []resize.Workers,
	cold bool) []predictor.Shape {
	var shapes []predictor.Shape
	perNode := sc.perNode(pool, job)
	is := placing{pool: pool, on: on, each: max(job.GPUsPerWorker, 1), perNode: perNode}
	for _, size := range sizes {
		shape := view.Packed(int(size), perNode, view.GPUName(pool))
		if pool == job.Pool && len(on) > 0 {
			shape.Nodes = max(shape.Nodes, sc.vacant.nodesFor(int(size), is, cold))
		}
		shapes = append(shapes, shape)
	}
	return shapes
}

// crowded says that a job would be on more nodes with so many workers than it is planned on: those that start beside it
// count as vacant in the plan until they train, as they did when their start was decided. They would else be stopped
// for what their start changes for others. Nobody grows by that.
func (sc *Scene) crowded(s *view.Subject, job *elastic.Job, size elastic.Workers, o capacity.Options) bool {
	if sc.unused == nil {
		return false
	}
	on := standOn(s, sc.Supply, job.Pool, o)
	if len(on) == 0 {
		return false
	}
	is := placing{pool: job.Pool, on: on, each: max(job.GPUsPerWorker, 1), perNode: sc.perNode(job.Pool, job)}
	cold := s.Mode() == resize.Cold
	return sc.unused().nodesFor(int(size), is, cold) > sc.vacant.nodesFor(int(size), is, cold)
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
