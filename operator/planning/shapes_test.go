package planning

import (
	"slices"
	"testing"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/capacity"
)

// A job whose workers are spread over more nodes than they need is planned as it runs, and as there is room beside
// others, and not as a new gang would be placed on nodes of its own.
func TestShapesOfASpreadJob(t *testing.T) {
	sizes := []resize.Workers{1, 2, 3, 4, 6, 12}
	empty, full := map[string]elastic.GPUs{"a": 4, "b": 4, "c": 4}, map[string]elastic.GPUs{}
	spread := []string{"a", "b", "b", "c"}
	for name, tt := range map[string]struct {
		on   []string
		pool string
		cold bool
		free map[string]elastic.GPUs // beside what it has itself
		want []int
	}{
		"it waits":                         {nil, "A100", false, empty, []int{1, 1, 1, 1, 2, 3}},
		"packed":                           {[]string{"a", "a", "a", "a"}, "A100", false, empty, []int{1, 1, 1, 1, 2, 3}},
		"spread":                           {spread, "A100", false, empty, []int{1, 2, 2, 3, 3, 3}},
		"packed, and others have all else": {[]string{"a", "a"}, "A100", false, full, []int{1, 1, 2, 2, 2, 3}},
		"spread beside others":             {spread, "A100", false, full, []int{1, 2, 2, 3, 3, 3}},
		"packed, and others have the rest of its node": {
			[]string{"a", "a"}, "A100", false, map[string]elastic.GPUs{"b": 1, "c": 2}, []int{1, 1, 2, 2, 3, 3},
		},
		"cold, so that others begin anew": {
			[]string{"a", "a"}, "A100", true, map[string]elastic.GPUs{"b": 4, "c": 2}, []int{1, 1, 1, 1, 2, 3},
		},
		"cold, and spread though there was room on fewer": {spread, "A100", true, empty, []int{1, 2, 3, 3, 3, 3}},
		"cold, and not as many together as could be": {
			[]string{"a", "a", "b", "b", "b"}, "A100", true, map[string]elastic.GPUs{"b": 1}, []int{1, 2, 2, 2, 2, 3},
		},
		"cold, and others have the rest":     {spread, "A100", true, full, []int{1, 1, 2, 3, 3, 3}},
		"in another pool, where it has none": {spread, "H100", false, empty, []int{1, 2, 3, 4, 6, 12}},
	} {
		t.Run(name, func(t *testing.T) {
			sc := &Scene{largest: map[string]elastic.GPUs{"A100": 4}}
			sc.vacant = vacanciesOf([]elastic.Node{
				{Name: "a", Pool: "A100", GPUs: tt.free["a"]}, {Name: "b", Pool: "A100", GPUs: tt.free["b"]},
				{Name: "c", Pool: "A100", GPUs: tt.free["c"]},
			}, nil, capacity.Options{})
			var nodes []int
			for _, shape := range sc.shapes(tt.pool, &elastic.Job{Pool: "A100", GPUsPerWorker: 1}, tt.on, sizes, tt.cold) {
				nodes = append(nodes, shape.Nodes)
			}
			if !slices.Equal(nodes, tt.want) {
				t.Errorf("on %v nodes, want %v", nodes, tt.want)
			}
		})
	}
}
