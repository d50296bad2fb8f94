package elastic

import "testing"

// Who waits for more GPUs, or is given them, is where it is meanwhile.
func TestAJobThatAwaitsGPUsStaysWhereItIs(t *testing.T) {
	s := Snapshot{Now: 1000, Queues: []Queue{{Name: "a"}}, Nodes: []Node{{Name: "a", GPUs: 8}, {Name: "b", GPUs: 8}}}
	spread := Job{Name: "spread", Queue: "a", Submitted: 900, Left: 90000, Deadline: new(Seconds(48000)), Promised: true,
		Reserved: []Span{{From: 0, To: 47000, Workers: 3}}, Sizes: []Size{{Workers: 2, Speed: 2}, {Workers: 3, Speed: 3}},
		Workers: 2, On: []string{"a", "b"}, Pause: 10, Awaits: &Awaited{Workers: 3, Since: 995, Reason: ForDeadline}}
	whole := Job{Name: "whole", Queue: "a", Submitted: 950, Left: 9000, OnlyPromised: true, Deadline: new(Seconds(20000)),
		Sizes: []Size{{Workers: 1, Speed: 8}}, GPUsPerWorker: 8, Pause: 10}
	s.Jobs = []Job{spread, whole}
	if o := Plan(s).Jobs[1]; o.Promised || o.Workers > 0 {
		t.Errorf("promised %t, %d workers: no node has 8 GPUs free", o.Promised, o.Workers)
	}
}
