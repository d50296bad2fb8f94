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

// TestWhatAChangeUnderWayMayLoseStaysReserved has a promised job whose change of size is under way: what it may lose by
// that is not lost yet. To plan as if it lost nothing would promise to others the GPUs that it needs once it restarts.
func TestWhatAChangeUnderWayMayLoseStaysReserved(t *testing.T) {
	for name, set := range map[string]func(*Job){
		"nothing was ever saved": func(j *Job) { j.Unsaved, j.Done = true, 500 },
		"a part is trained anew": func(j *Job) { j.Rework = 125 },
	} {
		for _, settled := range []bool{false, true} {
			j := Job{
				Name: "changes", Queue: "a", Workers: 8, Left: 1000, Pause: 30, BusyUntil: 30, Promised: true,
				Deadline: new(Seconds(220)), Sizes: []Size{{Workers: 4, Speed: 4}, {Workers: 8, Speed: 8}},
				Reserved: []Span{{0, 217.5, 8}}, Changes: &Change{From: 4, Reason: DeadlineRisk, Settled: settled},
			}
			set(&j)
			other := Job{
				Name: "comes", Queue: "a", Left: 400, Pause: 10, Deadline: new(Seconds(260)), OnlyPromised: true,
				Sizes: []Size{{Workers: 8, Speed: 8}},
			}
			d := Plan(Snapshot{
				Nodes: []Node{{Name: "node", GPUs: 8}}, Queues: []Queue{{Name: "a"}}, Jobs: []Job{j, other},
			})
			if spans := d.Jobs[0].Reserved; len(spans) == 0 || spans[len(spans)-1].To < 217 {
				t.Errorf("%s: it has %v reserved", name, spans)
			}
			if d.Jobs[1].Verdict == OnTrack {
				t.Errorf("%s: another is planned to have its GPUs: %v", name, d.Jobs[1].Reserved)
			}
		}
	}
}
