package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/takt-dev/takt/api/v1alpha1"
)

func TestEveryChangeIsToldOnce(t *testing.T) {
	cases := map[string]struct {
		change func(*job)
		want   []string
	}{
		"nothing": {func(*job) {}, nil},
		"a decision": {
			func(j *job) { j.resizes = append(j.resizes, resizeOf("bert", 2, 4, 2, "", "")) },
			[]string{"shrinks from 4 to 2 workers (DeadlineRisk). It needs them."},
		},
		"a decision, carried out before anybody looked": {
			func(j *job) { j.resizes = append(j.resizes, resizeOf("bert", 2, 4, 0, "Succeeded", "")) },
			[]string{"is stopped (DeadlineRisk). It needs them.", "has stopped."},
		},
		"an outcome": {
			func(j *job) { j.resizes[0] = resizeOf("bert", 1, 2, 4, "Committed Succeeded", "2.44s") },
			[]string{"trains with 4 workers, after a pause of 2.4s."},
		},
		"a failure": {
			func(j *job) { j.resizes[0] = resizeOf("bert", 1, 2, 4, "Committed RollingBack RolledBack", "") },
			[]string{"bert-1 was not carried through (RolledBack). So it was."},
		},
		"a step on the way": {
			func(j *job) { j.resizes[0] = resizeOf("bert", 1, 2, 4, "Committed RollingBack", "") }, nil,
		},
		"a verdict": {
			func(j *job) { j.elastic.Status.Verdict = v1alpha1.VerdictAtRisk }, []string{"AtRisk: So it is."},
		},
		"no verdict any more": {
			func(j *job) { j.elastic.Status.Verdict = v1alpha1.VerdictEstimating }, nil,
		},
		"a new figure": {
			func(j *job) { j.elastic.Status.Message, j.done = "It is otherwise.", 0.9 }, nil,
		},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			before, after := example(), example()
			test.change(&after.jobs[3])
			var got []string
			for _, n := range news(before, after) {
				if n.mark != "" {
					n.says = string(n.mark) + ": " + n.says
				}
				got = append(got, n.says)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestProgressIsReadAsAShare(t *testing.T) {
	for report, want := range map[string]float64{
		"420/1000 steps at 2026-11-21T18:00:00Z": 0.42, "": 0, "420 steps": 0, "1/0 steps": 0, "x/5 steps": 0,
	} {
		if got := share(report); got != want {
			t.Errorf("%q is %v of the work, want %v", report, got, want)
		}
	}
}
