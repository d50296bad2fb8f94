package elastic

import "testing"

// A trial that is over but for less than the clock can tell takes as long as any other: none is reserved without a
// length, on which GPUs would be given away twice.
func TestATrialHasALength(t *testing.T) {
	s := Snapshot{Now: 4421.6930644533295, Nodes: []Node{{Name: "n", GPUs: 4}}, Jobs: []Job{
		{Name: "planned", Deadline: new(Seconds(29605)), Left: 46854, Sizes: []Size{{Workers: 4, Speed: 5.5}}},
		{Name: "silent", Left: 18594, Sizes: []Size{{Workers: 3}}, Workers: 3, Trained: 479.99999999999955, Pause: 240},
	}}
	if d := Plan(s); d.Jobs[0].Workers+d.Jobs[1].Workers > 4 {
		t.Errorf("of 4 GPUs %d and %d are given away", d.Jobs[0].Workers, d.Jobs[1].Workers)
	}
}
