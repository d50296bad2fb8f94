package elastic

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// What pods have that Takt does not look after is bounded, by what is set and by what queues are guaranteed.
func TestWhatJobsLeaveToOtherPods(t *testing.T) {
	s := Snapshot{
		Nodes:  []Node{{Name: "node", GPUs: 7}, {Name: "elsewhere", Pool: "T4", GPUs: 8}},
		Queues: []Queue{{Name: "research", Guaranteed: 6}, {Name: "idle", Guaranteed: 8}},
		Jobs:   []Job{{Queue: "research", GPUsPerWorker: 2, Sizes: []Size{{Workers: 1}, {Workers: 2}}}},
	}
	for name, test := range map[string]struct {
		to   Outside // who have one GPU and wait for five
		want GPUs
	}{
		"all but what a queue is guaranteed and can use": {Outside{}, 3},
		"also of that":                      {Outside{OverGuarantees: true}, 5},
		"no more than a bound":              {Outside{Most: new(GPUs(2))}, 2},
		"none":                              {Outside{Most: new(GPUs(0))}, 0},
		"a reserve, of which one is in use": {Outside{Reserve: 6, Most: new(GPUs(0))}, 5},
	} {
		t.Run(name, func(t *testing.T) {
			test.to.Waits, test.to.Has = 5, 1
			if got := s.Leaves(test.to); got.GPUs != test.want {
				t.Errorf("%d GPUs, want %d", got.GPUs, test.want)
			}
		})
	}
}

// A part of the GPUs that a pod takes on one node is of no use to it.
func TestWhatJobsLeaveIsForWholePods(t *testing.T) {
	s := Snapshot{Nodes: []Node{{Name: "node", GPUs: 16}}}
	to := Outside{Waits: 9, Pods: []Pod{{GPUs: 4}, {GPUs: 4}}} // and one of one GPU
	for most, want := range map[GPUs]Demand{
		9: {GPUs: 9, Pods: to.Pods},
		7: {GPUs: 5, Pods: to.Pods[:1]},
		3: {GPUs: 1},
		0: {},
	} {
		to.Most = &most
		if diff := cmp.Diff(want, s.Leaves(to), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("of %d (-want +got):\n%s", most, diff)
		}
	}
}
