package main

import (
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// scene is what there is to be seen at one moment.
type scene struct {
	at    time.Time
	begun time.Time // when the story began
	story story
	jobs  []job // those that were submitted, in the order of the story
	nodes []node
}

// job is a part that was submitted.
type job struct {
	part
	// elastic is its ElasticJob; nil while it has none.
	elastic *v1alpha1.ElasticJob
	resizes []v1alpha1.Resize // in their order
	// done is the share of the work that the training has last reported to have done.
	done float64
}

// node is a node, and whose its GPUs are: one rune each.
type node struct{ gpus []rune }

// free is a GPU that nobody has.
const free = '.'

// letter is how a job is called on the map of the GPUs: a capital if its worker runs, else a small
// one.
func letter(index int, running bool) rune {
	if running {
		return rune('A' + index)
	}
	return rune('a' + index)
}

// verdict is what was last said of a job; empty if nothing was.
func (j job) verdict() v1alpha1.Verdict {
	if j.elastic == nil {
		return ""
	}
	return j.elastic.Status.Verdict
}

// finished says whether the job has done its work.
func (j job) finished() bool {
	return j.elastic != nil && meta.IsStatusConditionTrue(j.elastic.Status.Conditions, v1alpha1.ConditionSucceeded)
}

// until is how long it is from now to a moment; false if there is no such moment.
func (s scene) until(at v1alpha1.Time) (time.Duration, bool) {
	moment, err := at.Time()
	return moment.Sub(s.at), err == nil
}

// over says whether everything that the story is about has been seen: all deadlines were met or
// missed. What has none may go on.
func (s scene) over() bool {
	for _, j := range s.jobs {
		if v := j.verdict(); j.deadline > 0 && v != v1alpha1.VerdictMet && v != v1alpha1.VerdictMissed {
			return false
		}
	}
	return len(s.jobs) == len(s.story.parts)
}

// pauses is how long the training has stood still for resizes, as far as that was measured.
func (j job) pauses() time.Duration {
	total := time.Duration(0)
	for _, r := range j.resizes {
		if pause, err := r.Status.Cost.Pause.Duration(); err == nil {
			total += pause
		}
	}
	return total
}

// phase is the last condition of a Resize; empty if it has none.
func phase(r v1alpha1.Resize) string {
	if n := len(r.Status.Conditions); n > 0 {
		return r.Status.Conditions[n-1].Type
	}
	return ""
}
