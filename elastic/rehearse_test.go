package elastic

import (
	"fmt"
	"slices"
	"testing"
)

// However many nodes there are, and whatever a plan has spent on looking at them, nothing new is promised that would
// not find its GPUs on one of them.
func TestNothingNewIsPromisedBySumsAlone(t *testing.T) {
	for name, test := range map[string]struct {
		nodes, spent int
		want         bool
	}{
		"few nodes":                              {16, 0, false},
		"few nodes, and all is spent":            {16, mostRehearsed + 1, false},
		"thousands":                              {manyNodes + 1, 0, false},
		"thousands, and all is spent":            {manyNodes + 1, mostRehearsed + 1, false},
		"thousands, some of which are free soon": {manyNodes + 1, 0, true},
		"and all is spent":                       {manyNodes + 1, mostRehearsed + 1, true},
	} {
		t.Run(name, func(t *testing.T) {
			s := Snapshot{Now: 1, Settings: Settings{PromiseShare: 1}}
			var on []string
			for i := range test.nodes {
				s.Nodes = append(s.Nodes, Node{Name: fmt.Sprint(i), GPUs: 2})
				on = append(on, fmt.Sprint(i))
			}
			has := func(name string, left Work, on []string) Job {
				return Job{Name: name, Left: left, Uninterruptible: true, Workers: Workers(len(on)), On: on,
					Sizes: []Size{{Workers: Workers(len(on)), Speed: 1}}}
			}
			brief, long := has("brief", 100, on), has("long", 1e6, on)
			if test.want { // the last nodes are free soon
				brief, long = has("brief", 100, append(on, on[8:16]...)), has("long", 1e6, slices.Delete(slices.Clone(on), 8, 16))
			}
			deadline := Seconds(5000)
			s.Jobs = []Job{brief, long, {Name: "two", Left: 100, GPUsPerWorker: 2, Deadline: &deadline,
				Sizes: []Size{{Workers: 1, Speed: 1}}}}
			if err := s.Check(); err != nil {
				t.Fatal(err)
			}
			c := s.divided(false)
			p := c.pools[""]
			p.rehearsed = test.spent
			p.plan()
			o := p.outcome(c.jobs[2])
			if o.Promised != test.want || o.Reserved == nil {
				t.Errorf("promised: %t, and planned %v", o.Promised, o.Reserved)
			}
		})
	}
}
