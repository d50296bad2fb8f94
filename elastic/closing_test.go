package elastic

import (
	"strings"
	"testing"
)

// A job that evaluates for twenty minutes once it has done its last step has to have trained that much sooner, and
// holds its GPUs for as long.
func TestAPlanCountsWhatComesAfterTheLastStep(t *testing.T) {
	const minute, second = Seconds(60), Work(60)
	evaluates := Closing{Shortest: 18 * minute, Usual: 20 * minute, Longest: 22 * minute}
	tests := map[string]struct {
		gpus           GPUs
		left           Work // at one worker, in minutes
		closing        Closing
		verdict        Verdict
		workers        Workers
		expected, late Seconds
		says           string
	}{
		"it ends with its last step": {2, 160, Closing{}, OnTrack, 2, 80 * minute, 80 * minute, "20m to spare"},
		"it may be late": {
			2, 158, evaluates, AtRisk, 2, 99 * minute, 101 * minute, "with 1m to spare, but at worst it will end 1m",
		},
		"it is late":     {2, 166, evaluates, Infeasible, 2, 103 * minute, 105 * minute, "may take 1h45m more"},
		"it grows":       {4, 160, evaluates, OnTrack, 4, 60*minute + 10, 62*minute + 10, "37m to spare"},
		"it may not end": {4, 340, evaluates, Infeasible, 4, 105*minute + 10, 107*minute + 10, "1.1 times as"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			o := Plan(Snapshot{Nodes: []Node{{Name: "n", GPUs: tt.gpus}}, Jobs: []Job{{
				Name: "job", Deadline: new(100 * minute), Left: tt.left * second, Workers: 2, BusyUntil: -minute, Pause: 10,
				Closing: tt.closing,
				Sizes:   []Size{{Workers: 2, Speed: 2, Expected: 2, Best: 2}, {Workers: 4, Speed: 4, Expected: 4, Best: 4}},
			}}}).Jobs[0]
			if o.Verdict != tt.verdict || o.Workers != tt.workers || *o.ExpectedEnd != tt.expected || *o.LateEnd != tt.late ||
				*o.LateEnd-*o.EarlyEnd != tt.closing.Longest-tt.closing.Shortest {
				t.Errorf("it is %s with %d workers, and ends after %v, at worst after %v", o.Verdict, o.Workers, *o.ExpectedEnd,
					*o.LateEnd)
			}
			if !strings.Contains(o.Message, tt.says) {
				t.Errorf("it says %q, want %q in it", o.Message, tt.says)
			}
		})
	}
}
