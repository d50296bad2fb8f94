package policies

import (
	"cmp"
	"testing"

	"github.com/takt-dev/takt/simulator"
)

// sized is what a test expects: a job has so many GPUs at a moment.
type sized struct {
	id   string
	at   simulator.Seconds
	gpus int
}

func TestSizes(t *testing.T) {
	three := []simulator.Job{
		job("poor", "poor", 0, 900, 500, 1), job("linear", "linear", 0, 900, 500, 1), job("single", "single", 0, 900, 500, 1),
	}
	tests := map[string]struct {
		policy string
		factor float64 // by how much speeds are believed to be higher; not at all, if zero
		jobs   []simulator.Job
		want   []sized
	}{
		"fifo passes a job that does not fit, and preempts nobody": {
			policy: "fifo",
			jobs: []simulator.Job{
				job("first", "pair", 0, 500, 100, 2),
				job("wide", "whole", 1, 120, 10, 4),
				job("small", "pair", 2, 500, 200, 2),
			},
			want: []sized{{"first", 50, 2}, {"small", 2, 2}, {"wide", 150, 0}, {"wide", 202, 4}},
		},
		"fifo takes the nearest size that was measured": {
			policy: "fifo",
			jobs:   []simulator.Job{job("odd", "linear", 0, 500, 10, 3)},
			want:   []sized{{"odd", 0, 2}},
		},
		"edf takes GPUs from a later deadline, and more than make it faster": {
			policy: "edf",
			jobs:   []simulator.Job{job("late", "poor", 0, 900, 100, 1), job("soon", "poor", 10, 100, 20, 1)},
			want:   []sized{{"late", 0, 4}, {"late", 10, 0}, {"soon", 10, 4}, {"late", 31, 4}},
		},
		"edf-admission keeps the smallest size that will do": {
			policy: "edf-admission",
			jobs:   []simulator.Job{job("a", "linear", 0, 60, 100, 4), job("idle", "single", 1, 0, 5, 1)},
			want:   []sized{{"a", 0, 2}, {"a", 45, 2}, {"idle", 1, 1}},
		},
		"edf-elastic gives the smallest size that will do, and the rest to who waits": {
			policy: "edf-elastic",
			jobs:   []simulator.Job{job("a", "linear", 0, 60, 100, 4), job("b", "linear", 0, 100, 150, 1)},
			want:   []sized{{"a", 0, 2}, {"b", 0, 2}, {"b", 50, 4}},
		},
		"edf-elastic lets a late job have what is left": {
			policy: "edf-elastic",
			jobs:   []simulator.Job{job("lost", "single", 0, 10, 100, 1), job("a", "linear", 0, 60, 100, 1)},
			want:   []sized{{"lost", 0, 1}, {"lost", 99, 1}, {"a", 0, 2}},
		},
		"elasticflow lets newcomers wait for the end of the slot": {
			policy: "elasticflow",
			jobs:   []simulator.Job{job("a", "single", 0, 900, 100, 1), job("b", "single", 10, 900, 100, 1)},
			want:   []sized{{"a", 0, 1}, {"b", 59, 0}, {"b", 60, 1}},
		},
		"elasticflow has its plan serve a doomed job first": {
			policy: "elasticflow", factor: 2,
			jobs: []simulator.Job{
				job("slow", "linear", 0, 80, 400, 1), job("b", "linear", 0, 900, 400, 1), job("c", "single", 30, 900, 1, 1),
			},
			want: []sized{{"slow", 0, 4}, {"slow", 60, 4}, {"b", 60, 0}},
		},
		"elasticflow gives what is left to whom it serves worst": {
			policy: "elasticflow",
			jobs:   three,
			want:   []sized{{"poor", 0, 2}, {"linear", 0, 1}, {"single", 0, 1}},
		},
		"elasticflow-fixed gives it to whom it serves best": {
			policy: "elasticflow-fixed",
			jobs:   three,
			want:   []sized{{"poor", 0, 1}, {"linear", 0, 2}, {"single", 0, 1}},
		},
		"elasticflow-fixed lets nobody wait for a slot": {
			policy: "elasticflow-fixed",
			jobs:   []simulator.Job{job("a", "single", 0, 900, 100, 1), job("b", "single", 10, 900, 100, 1)},
			want:   []sized{{"b", 10, 1}},
		},
		"tiresias lets a newcomer pass who has had its share": {
			policy: "tiresias",
			jobs:   []simulator.Job{job("old", "whole", 0, 9000, 2000, 4), job("new", "whole", 1000, 0, 100, 4)},
			want:   []sized{{"old", 999, 4}, {"old", 1000, 0}, {"new", 1000, 4}, {"old", 1100, 4}},
		},
		"tiresias preempts nobody of the same queue": {
			policy: "tiresias",
			jobs: []simulator.Job{
				job("first", "pair", 0, 500, 100, 2), job("wide", "whole", 1, 120, 10, 4), job("small", "pair", 2, 500, 200, 2),
			},
			want: []sized{{"small", 150, 2}, {"wide", 150, 0}, {"wide", 202, 4}},
		},
		"tiresias does not let it pass who has not, until he has": {
			policy: "tiresias",
			jobs:   []simulator.Job{job("old", "whole", 0, 9000, 2000, 4), job("new", "whole", 500, 0, 100, 4)},
			want:   []sized{{"old", 812, 4}, {"old", 813, 0}, {"new", 813, 4}},
		},
		"optimus gives more to who gets faster by it": {
			policy: "optimus",
			jobs:   []simulator.Job{job("a", "poor", 0, 900, 100, 1), job("b", "linear", 0, 0, 100, 1)},
			want:   []sized{{"a", 0, 2}, {"b", 0, 2}},
		},
		"optimus starts everybody first": {
			policy: "optimus",
			jobs: []simulator.Job{
				job("a", "linear", 0, 0, 1000, 1), job("b", "single", 0, 0, 10, 1), job("c", "single", 0, 0, 10, 1),
			},
			want: []sized{{"a", 0, 2}, {"b", 0, 1}, {"c", 0, 1}, {"a", 10, 4}},
		},
		"a size that is no faster than a smaller one is skipped": {
			policy: "optimus",
			jobs:   []simulator.Job{job("a", "bent", 0, 0, 1000, 1), job("b", "single", 0, 0, 1000, 1)},
			want:   []sized{{"a", 0, 1}, {"b", 0, 1}},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			history, _ := play(t, test.policy, 0, cmp.Or(test.factor, 1), test.jobs...)
			for _, want := range test.want {
				if got := size(history, want.id, want.at); got != want.gpus {
					t.Errorf("%s has %d GPUs at %g, want %d", want.id, got, want.at, want.gpus)
				}
			}
		})
	}
}

func TestAdmission(t *testing.T) {
	together := []simulator.Job{job("can", "single", 0, 200, 100, 1), job("cannot", "single", 0, 50, 100, 1)}
	full := []simulator.Job{job("a", "whole", 0, 100, 90, 4), job("b", "whole", 1, 99, 50, 4),
		job("c", "whole", 2, 300, 50, 4)}
	doomed := []simulator.Job{job("slow", "single", 0, 60, 100, 1), job("b", "single", 70, 900, 100, 1)}
	tests := map[string]struct {
		policy string
		factor float64 // by how much speeds are believed to be higher
		jobs   []simulator.Job
		want   map[string]bool // whether the job is promised
	}{
		"elasticflow declines those of one slot together": {"elasticflow", 1, together, map[string]bool{"can": false}},
		"elasticflow-fixed tells them apart": {
			"elasticflow-fixed", 1, together, map[string]bool{"can": true, "cannot": false},
		},
		"edf-admission tells them apart": {"edf-admission", 1, together, map[string]bool{"can": true, "cannot": false}},
		"edf-admission declines who makes others late": {
			"edf-admission", 1, full, map[string]bool{"a": true, "b": false, "c": true},
		},
		"elasticflow-fixed declines who makes others late": {
			"elasticflow-fixed", 1, full, map[string]bool{"a": true, "b": false, "c": true},
		},
		"a doomed job blocks elasticflow": {"elasticflow", 2, doomed, map[string]bool{"slow": true, "b": false}},
		"a doomed job blocks nobody once repaired": {"elasticflow-fixed", 2, doomed, map[string]bool{"slow": true,
			"b": true}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, jobs := play(t, test.policy, 0, test.factor, test.jobs...)
			for id, promised := range test.want {
				if got := jobs[id]; got.Promised != promised || got.Declined == promised {
					t.Errorf("%s: promised %v, declined %v, want promised %v", id, got.Promised, got.Declined, promised)
				}
			}
		})
	}
}

func TestDoomedJobGoesOn(t *testing.T) {
	_, jobs := play(t, "elasticflow-fixed", 0, 2, job("slow", "single", 0, 60, 100, 1))
	if slow := jobs["slow"]; slow.Finished != 100 {
		t.Errorf("it is finished at %g, want 100", slow.Finished)
	}
}

func TestAdmissionCountsTheResizeCost(t *testing.T) {
	for _, policy := range []string{"edf-admission", "elasticflow-fixed"} {
		_, jobs := play(t, policy, 30, 1, job("tight", "single", 0, 125, 100, 1), job("slack", "single", 0, 135, 100, 1))
		if jobs["tight"].Promised || !jobs["slack"].Met() {
			t.Errorf("%s: tight promised %v, slack met %v", policy, jobs["tight"].Promised, jobs["slack"].Met())
		}
	}
}
