package elastic

import "testing"

// TestFreeGPUsAreAwaitedByNobodyOnceAnotherComes has a job come while another awaits GPUs that nobody needed. They are
// not free any more: the other stays as it is, and need not give back a minute later what it would have paid for.
func TestFreeGPUsAreAwaitedByNobodyOnceAnotherComes(t *testing.T) {
	tests := map[string]struct {
		reason    Reason
		submitted Seconds
		reserved  []Span
		want      Workers
	}{
		"free GPUs":                  {FreeGPUs, 95, nil, 4},
		"reserved for the change":    {FreeGPUs, 95, []Span{{90, 110, 6}, {110, 500110, 2}}, 4},
		"came before that":           {FreeGPUs, 80, nil, 2},
		"GPUs that a deadline takes": {ForDeadline, 95, nil, 2},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			d := Plan(Snapshot{
				Now: 100, Nodes: []Node{{Name: "node", GPUs: 8}}, Queues: []Queue{{Name: "a"}},
				Jobs: []Job{
					{
						Name: "grows", Queue: "a", Workers: 2, Left: 1e6, Pause: 10, Deadline: new(Seconds(1e7)),
						Sizes:    []Size{{Workers: 2, Speed: 2}, {Workers: 4, Speed: 4}, {Workers: 6, Speed: 6}},
						Reserved: test.reserved,
						Awaits:   &Awaited{Workers: 6, Since: 90, Reason: test.reason},
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
