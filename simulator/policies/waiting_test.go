package policies

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/takt-dev/takt/simulator"
)

func TestWaitingAndCompletion(t *testing.T) {
	for name, test := range map[string]struct {
		policy              string
		jobs                []simulator.Job
		waiting, completion *simulator.Spans
		unfinished          int
	}{
		"one after the other": {
			policy: "fifo",
			jobs:   []simulator.Job{job("a", "whole", 0, 0, 100, 4), job("b", "whole", 10, 0, 50, 4)},
			// a trains from 0 to 100, b waits from 10 to 100 and trains until 150.
			waiting: &simulator.Spans{Mean: 45, P95: 90}, completion: &simulator.Spans{Mean: 120, P95: 140},
		},
		"with and without a deadline": {
			policy:  "fifo",
			jobs:    []simulator.Job{job("a", "whole", 0, 500, 100, 4), job("b", "whole", 10, 0, 50, 4)},
			waiting: &simulator.Spans{Mean: 45, P95: 90}, completion: &simulator.Spans{Mean: 120, P95: 140},
		},
		"stopped for another": {
			policy: "edf",
			jobs:   []simulator.Job{job("a", "whole", 0, 1000, 100, 4), job("b", "whole", 10, 100, 20, 4)},
			// a gives way from 10 to 30, and trains until 120.
			waiting: &simulator.Spans{Mean: 10, P95: 20}, completion: &simulator.Spans{Mean: 70, P95: 120},
		},
		"one that nobody can run": {
			policy:  "fifo",
			jobs:    []simulator.Job{job("a", "whole", 0, 0, 100, 4), job("b", "nobody knows", 10, 0, 50, 4)},
			waiting: &simulator.Spans{}, completion: &simulator.Spans{Mean: 100, P95: 100}, unfinished: 1,
		},
		"none that ends": {policy: "fifo", jobs: []simulator.Job{job("b", "nobody knows", 10, 0, 50, 4)}, unfinished: 1},
	} {
		t.Run(name, func(t *testing.T) {
			history, _ := play(t, test.policy, 0, 1, test.jobs...)
			got := history.Result(test.policy, simulator.Bound{}, 0, nil)
			if diff := cmp.Diff(test.waiting, got.Waiting); diff != "" {
				t.Errorf("waiting: -want +got:\n%s", diff)
			}
			if diff := cmp.Diff(test.completion, got.Completion); diff != "" {
				t.Errorf("completion: -want +got:\n%s", diff)
			}
			if got.Unfinished != test.unfinished {
				t.Errorf("%d never end, want %d", got.Unfinished, test.unfinished)
			}
		})
	}
}
