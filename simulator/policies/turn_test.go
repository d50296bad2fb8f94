package policies

import (
	"testing"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/simulator"
)

// Jobs of a higher priority take all four GPUs, one after the other for 100 s each, and one GPU is wanted by a job that
// may have to wait for so long.
func TestAJobThatDoesNotHaveToWaitForEver(t *testing.T) {
	for _, test := range []struct {
		name           string
		maxWait        simulator.Seconds
		after          bool // it waits for another first, which takes the first 100 s
		begins, before simulator.Seconds
	}{
		{"for ever", 0, false, 300, 301},
		{"for a while", 50, false, 100, 101},
		{"for a while, once another is done", 150, true, 300, 301},
	} {
		t.Run(test.name, func(t *testing.T) {
			waits := job("waits", "single", 0, 0, 10, 1)
			waits.MaxWait = test.maxWait
			jobs := []simulator.Job{waits}
			if test.after {
				jobs[0].After = []string{"before"}
				jobs = append(jobs, job("before", "single", 0, 100.5, 100, 1))
			}
			for _, id := range []string{"a", "b", "c"} {
				whole := job(id, "whole", 0, 0, 100, 4)
				whole.Priority = 1
				jobs = append(jobs, whole)
			}
			_, byID := play(t, "takt", 0, 1, jobs...)
			if began := byID["waits"].Finished - 10; began < test.begins || began > test.before {
				t.Errorf("it began after %v s, want %v", began, test.begins)
			}
		})
	}
}

// With queues, the planner is told whose job each is, and what that one has.
func TestQueuesShareACluster(t *testing.T) {
	p, err := New("takt")
	if err != nil {
		t.Fatal(err)
	}
	mine, theirs := job("mine", "linear", 0, 0, 100, 4), job("theirs", "linear", 0, 0, 100, 4)
	mine.Queue, theirs.Queue = "mine", "theirs"
	none := elastic.GPUs(0)
	cluster := simulator.Cluster{GPUs: 4, GPUsPerNode: 4, Queues: []elastic.Queue{
		{Name: "mine", Weight: 1}, {Name: "theirs", Weight: 1, Limit: &none},
	}}
	history, err := cluster.Run([]simulator.Job{mine, theirs}, speedsOf, believed{speedsOf, 1}, p)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range history.Changes {
		if c.Job.Queue == "theirs" && c.Size > 0 {
			t.Errorf("a closed queue has %d GPUs", c.Size)
		}
	}
	if took := history.Jobs[0].Finished; took != 25 {
		t.Errorf("the other takes %v s, want 25", took)
	}
}
