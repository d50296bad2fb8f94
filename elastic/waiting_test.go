package elastic

import "testing"

// A job that waits is told whether it waits for its queue or for the cluster.
func TestWaitingForTheQueueOrTheCluster(t *testing.T) {
	limit := GPUs(4)
	for name, test := range map[string]struct {
		queue Queue
		want  Reason
	}{
		"a queue that may have everything is never full": {Queue{Name: "research"}, NoRoom},
		"a queue at its limit":                           {Queue{Name: "research", Limit: &limit}, QueueFull},
		"a queue that may not borrow": {Queue{Name: "research", Guaranteed: 4, NoBorrowing: true},
			QueueFull},
	} {
		t.Run(name, func(t *testing.T) {
			sizes := []Size{{Workers: 4, Speed: 1}}
			d := Plan(Snapshot{
				Nodes: []Node{{GPUs: 6}}, Queues: []Queue{test.queue},
				Jobs: []Job{
					{Name: "runs", Queue: "research", Left: 1000, Sizes: sizes, Workers: 4},
					{Name: "waits", Queue: "research", Left: 1000, Sizes: sizes},
				},
			})
			if waits := d.Jobs[1]; waits.Workers != 0 || waits.Reason != test.want {
				t.Errorf("it has %d workers for the reason %s, want 0 and %s", waits.Workers, waits.Reason, test.want)
			}
		})
	}
}
