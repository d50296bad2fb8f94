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
