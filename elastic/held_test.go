package elastic

import (
	"math"
	"testing"
)

// A job whose size somebody has set is judged by that size, whatever others have or want, and however large it may be.
func TestAJobThatKeepsItsSizeIsJudgedByThat(t *testing.T) {
	job := func(workers Workers, deadline Seconds) Job {
		return Job{Name: "held", Workers: workers, GPUsPerWorker: 2, Left: 3600, Deadline: &deadline,
			Sizes: []Size{{Workers: 1, Speed: 1}, {Workers: 4, Speed: 4}}}
	}
	full := Snapshot{Nodes: []Node{{Name: "n", GPUs: 2}}, Queues: []Queue{{Name: "q", Limit: new(GPUs(1))}},
		Demands: []Demand{{GPUs: 8}}}
	for name, test := range map[string]struct {
		job  Job
		want Verdict
		ok   bool
	}{
		"large enough":   {job(4, 1000), OnTrack, true},
		"too small":      {job(1, 1000), Infeasible, true},
		"makes no sense": {job(4, Seconds(math.NaN())), "", false},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := full.Held(test.job)
			if ok != test.ok || ok && (got.Verdict != test.want || got.Workers != test.job.Workers) {
				t.Errorf("%+v, %t; want %s", got, ok, test.want)
			}
		})
	}
}
