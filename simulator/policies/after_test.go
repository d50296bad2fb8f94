package policies

import (
	"testing"

	"github.com/takt-dev/takt/simulator"
)

// Under every policy a job that is to start after others has no GPU before they are finished, though GPUs are free, and
// one that waits for itself keeps nobody else. Takt gives those before it their part of the time.
func TestAJobAfterOthers(t *testing.T) {
	for _, policy := range Names() {
		t.Run(policy, func(t *testing.T) {
			first, second := job("first", "linear", 0, 0, 100, 1), job("second", "linear", 0, 130, 100, 1)
			second.After = []string{"first"}
			turns := job("turns", "linear", 0, 0, 100, 1)
			turns.After = []string{"turns"}
			history, byID := play(t, policy, 0, 1, second, first, turns)
			for _, c := range history.Changes {
				if c.Job.ID == "second" && c.Size > 0 && c.At < byID["first"].Finished {
					t.Errorf("it has %d GPUs at %v, and the one before it is finished at %v", c.Size, c.At, byID["first"].Finished)
				}
			}
			if finished := byID["turns"].Finished; finished != simulator.Never {
				t.Errorf("the one that waits for itself is finished at %v", finished)
			}
			if policy == "takt" && !byID["second"].Met() { // others may turn it away
				t.Errorf("it is finished at %v", byID["second"].Finished)
			}
		})
	}
}
