package elastic

import "testing"

// TestGrowthIntoFreeGPUsIsGivenUpOnceAnotherComes has a job come while another is growing into GPUs that nobody needed,
// and trains on without them. It would have to give them back a minute after it has paid for them.
func TestGrowthIntoFreeGPUsIsGivenUpOnceAnotherComes(t *testing.T) {
	free := &Change{From: 2, Since: 90, Reason: SpareCapacity}
	tests := map[string]struct {
		change    *Change
		submitted Seconds
		reserved  []Span
		want      Workers
	}{
		"free GPUs":                  {free, 95, nil, 4},
		"reserved for the change":    {free, 95, []Span{{90, 110, 6}, {110, 500110, 2}}, 4},
		"came before that":           {free, 80, nil, 2},
		"GPUs that a deadline takes": {&Change{From: 2, Since: 90, Reason: DeadlineRisk}, 95, nil, 2},
		"the training knows of it":   {&Change{From: 2, Since: 90, Reason: SpareCapacity, Settled: true}, 95, nil, 2},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			d := Plan(Snapshot{
				Now: 100, Nodes: []Node{{Name: "node", GPUs: 8}}, Queues: []Queue{{Name: "a"}},
				Jobs: []Job{
					{
						Name: "grows", Queue: "a", Workers: 6, Left: 1e6, Pause: 10, BusyUntil: 110, Deadline: new(Seconds(1e7)),
						Sizes:    []Size{{Workers: 2, Speed: 2}, {Workers: 4, Speed: 4}, {Workers: 6, Speed: 6}},
						Reserved: test.reserved, Changes: test.change,
					},
					{
						Name: "comes", Queue: "a", Submitted: test.submitted, Left: 1e6, Pause: 10, Written: 4,
						Sizes: []Size{{Workers: 1}, {Workers: 2}, {Workers: 4}},
					},
				},
			})
			if got := d.Jobs[1].Workers; got != test.want {
				t.Errorf("whoever comes has %d workers, want %d, and the other has %d", got, test.want, d.Jobs[0].Workers)
			}
		})
	}
}
