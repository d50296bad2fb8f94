package planning

import (
	"slices"
	"testing"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
)

// A job whose workers are spread over more nodes than they need is planned as it runs, and not as a new gang would be
// placed.
func TestShapesOfASpreadJob(t *testing.T) {
	sc := &Scene{largest: map[string]elastic.GPUs{"A100": 4}}
	sizes := []resize.Workers{1, 2, 3, 4, 6, 12}
	for name, tt := range map[string]struct {
		on   []string
		pool string
		cold bool
		want []int
	}{
		"it waits":                           {nil, "A100", false, []int{1, 1, 1, 1, 2, 3}},
		"packed":                             {[]string{"a", "a", "a", "a"}, "A100", false, []int{1, 1, 1, 1, 2, 3}},
		"spread":                             {[]string{"a", "b", "b", "c"}, "A100", false, []int{1, 2, 2, 3, 3, 3}},
		"cold, so that others begin anew":    {[]string{"a", "b", "b", "c"}, "A100", true, []int{1, 1, 1, 3, 2, 3}},
		"in another pool, where it has none": {[]string{"a", "b", "b", "c"}, "H100", false, []int{1, 2, 3, 4, 6, 12}},
	} {
		t.Run(name, func(t *testing.T) {
			var nodes []int
			for _, shape := range sc.shapes(tt.pool, &elastic.Job{Pool: "A100", On: tt.on, GPUsPerWorker: 1}, sizes, tt.cold) {
				nodes = append(nodes, shape.Nodes)
			}
			if !slices.Equal(nodes, tt.want) {
				t.Errorf("on %v nodes, want %v", nodes, tt.want)
			}
		})
	}
}
