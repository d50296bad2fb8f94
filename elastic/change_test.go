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

// TestAShrinkForOthersIsGivenUpOnceNobodyWaits has whoever a job was to make room for go away, before the training
// knows anything of it. To go on would cost it a restart for nobody, and another one to grow again.
func TestAShrinkForOthersIsGivenUpOnceNobodyWaits(t *testing.T) {
	gives := Change{From: 4, Since: 90, Reason: GaveBack}
	waits := Job{Name: "waits", Queue: "a", Left: 1e6, Pause: 10, Sizes: []Size{{Workers: 6, Speed: 6}}}
	awaits, other := waits, waits
	awaits.Workers, awaits.Sizes = 1, []Size{{Workers: 1, Speed: 1}, {Workers: 6, Speed: 6}}
	awaits.Awaits = &Awaited{Workers: 6, Since: 90, Reason: ForDeadline}
	other.Pool = "other"
	settled, range4 := gives, gives
	settled.Settled, range4.Reason = true, RangeChanged
	tests := map[string]struct {
		change  Change
		demands []Demand
		others  []Job
		back    bool
	}{
		"nobody waits":            {gives, nil, nil, true},
		"somebody waits nearby":   {gives, nil, []Job{other}, true},
		"a job waits":             {gives, nil, []Job{waits}, false},
		"a job awaits more":       {gives, nil, []Job{awaits}, false},
		"pods of others wait":     {gives, []Demand{{GPUs: 6}}, nil, false},
		"the training knows":      {settled, nil, nil, false},
		"its size is not allowed": {range4, nil, nil, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			d := Plan(Snapshot{
				Now: 100, Nodes: []Node{{Name: "node", GPUs: 8}}, Queues: []Queue{{Name: "a"}, {Name: "a", Pool: "other"}},
				Demands: test.demands,
				Jobs: append([]Job{{
					Name: "shrinks", Queue: "a", Workers: 2, Left: 1e6, Pause: 60, BusyUntil: 150, Changes: &test.change,
					Sizes: []Size{{Workers: 2, Speed: 2}, {Workers: 4, Speed: 3}},
				}}, test.others...),
			})
			if back := d.Jobs[0].Workers == 4; back != test.back {
				t.Errorf("it is to have %d workers: %s", d.Jobs[0].Workers, d.Jobs[0].Why)
			}
		})
	}
}
