package elastic

import "testing"

// A training that has told that all is done, and still runs, keeps the size that it has, whatever was planned for it
// before.
func TestWhoeverHasDoneAllKeepsItsSize(t *testing.T) {
	deadline := Seconds(2000)
	sizes := []Size{{Workers: 1, Speed: 1}, {Workers: 2, Speed: 1.9}, {Workers: 4, Speed: 3.6}, {Workers: 5, Speed: 4.3},
		{Workers: 8, Speed: 6.5}}
	for name, reserved := range map[string][]Span{
		"nothing was planned": nil,
		"as it is":            {{From: -600, To: 0.5, Workers: 4}},
		"with more workers":   {{From: -10, To: 0, Workers: 1}, {From: 0, To: 1900, Workers: 5}},
		"with fewer":          {{From: -10, To: 1900, Workers: 2}},
	} {
		t.Run(name, func(t *testing.T) {
			s := Snapshot{
				Nodes: []Node{{Name: "n", GPUs: 16}},
				Jobs: []Job{{
					Name: "done", Deadline: &deadline, Sizes: sizes, Workers: 4, BusyUntil: -600, SavedAt: -600, Pause: 30,
					Unsaved: true, Done: 2000, Promised: reserved != nil, Reserved: reserved,
				}},
			}
			for range 3 {
				d := Plan(s)
				if got := d.Jobs[0]; got.Workers != 4 || got.Verdict != OnTrack {
					t.Fatalf("at %v it is to have %d workers, and is %s: %s", s.Now, got.Workers, got.Verdict, got.Why)
				}
				s.Jobs[0].Promised, s.Jobs[0].Reserved = d.Jobs[0].Promised, d.Jobs[0].Reserved
				s.Now += 10
			}
		})
	}
}

// A training that keeps a size which has turned out to be slower than a smaller one, as a change would cost more than
// it gains, is told when it ends as it is, and not when it would end if it changed.
func TestWhoeverStaysBesideItsPlanIsToldWhenThatEnds(t *testing.T) {
	sure := Size{Workers: 2, Speed: 1.5, Expected: 1.6, Best: 1.7}
	for name, test := range map[string]struct {
		smaller  Size
		done     Work
		deadline Seconds
		workers  Workers
		end      Seconds
	}{
		"it may not pay":            {Size{Workers: 2, Speed: 0.95, Expected: 1.6, Best: 3}, 5000, 40000, 4, 10000},
		"a change pays":             {sure, 10, 40000, 2, 30 + 10010/1.6},
		"it would be late as it is": {sure, 3000, 9800, 2, 30 + 13000/1.6},
	} {
		t.Run(name, func(t *testing.T) {
			got := Plan(Snapshot{
				Nodes: []Node{{Name: "n", GPUs: 16}},
				Jobs: []Job{{
					Name: "slow", Deadline: &test.deadline, Workers: 4, BusyUntil: -6000, SavedAt: -6000, Pause: 30,
					Sizes: []Size{test.smaller, {Workers: 4, Speed: 0.9, Expected: 1, Best: 1.1}}, Left: 10000, Unsaved: true,
					Done: test.done,
				}},
			}).Jobs[0]
			if got.Workers != test.workers || got.Verdict != OnTrack || *got.ExpectedEnd != test.end {
				t.Errorf("with %d workers it is told to end at %v, and is %s: want %d, and %v; %s", got.Workers, *got.ExpectedEnd,
					got.Verdict, test.workers, test.end, got.Why)
			}
		})
	}
}
