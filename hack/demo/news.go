package main

import (
	"fmt"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
)

// item is one thing that has happened.
type item struct {
	at   time.Duration // since the story began
	job  string
	mark v1alpha1.Verdict // the verdict that the sentence begins with, if any
	says string
}

// news is what has happened between two scenes, in the order of the jobs.
func news(before, now scene) []item {
	var items []item
	for i, j := range now.jobs {
		tell := func(mark v1alpha1.Verdict, format string, args ...any) {
			items = append(items, item{now.at.Sub(now.begun), j.name, mark, fmt.Sprintf(format, args...)})
		}
		was := job{part: j.part}
		if i < len(before.jobs) {
			was = before.jobs[i]
		} else {
			tell("", "%s", submitted(j.part))
		}
		for k, r := range j.resizes {
			known := k < len(was.resizes)
			if !known {
				tell("", "%s %s", decided(r), r.Spec.Message)
			}
			if (!known || !was.resizes[k].Over()) && r.Over() {
				tell("", "%s", outcome(r, now.story.real))
			}
		}
		if v := j.verdict(); v != was.verdict() && v != v1alpha1.VerdictEstimating {
			tell(v, "%s", j.elastic.Status.Message)
		} else if j.finished() && !was.finished() {
			tell(v, "%s", j.elastic.Status.Message)
		}
	}
	return items
}

// submitted is what is asked for a job.
func submitted(p part) string {
	asks := fmt.Sprintf("is submitted: up to %s of %s", elastic.CountOf(p.most, "worker"),
		elastic.CountOf(p.gpus, "GPU"))
	if p.deadline > 0 {
		asks += fmt.Sprintf(", to be finished in %s", brief(p.deadline))
	}
	return asks + ". " + p.says
}

// decided is a decision in words: the reasons of Resizes are the words that kubectl shows.
func decided(r v1alpha1.Resize) string {
	switch {
	case r.Spec.From == 0:
		return fmt.Sprintf("starts with %s (%s).", workers(r.Spec.To), r.Spec.Reason)
	case r.Spec.To == 0:
		return fmt.Sprintf("is stopped (%s).", r.Spec.Reason)
	case r.Spec.To > r.Spec.From:
		return fmt.Sprintf("grows from %d to %s (%s).", r.Spec.From, workers(r.Spec.To), r.Spec.Reason)
	}
	return fmt.Sprintf("shrinks from %d to %s (%s).", r.Spec.From, workers(r.Spec.To), r.Spec.Reason)
}

// outcome is how a resize has ended, with what it has cost: of a real training that is known only once it has gone
// on, and told in the table then.
func outcome(r v1alpha1.Resize, real bool) string {
	if phase(r) != v1alpha1.ConditionSucceeded {
		last := r.Status.Conditions[len(r.Status.Conditions)-1]
		return fmt.Sprintf("%s was not carried through (%s). %s", r.Name, last.Type, last.Message)
	}
	if r.Spec.To == 0 {
		return "has stopped."
	}
	says := fmt.Sprintf("trains with %s", workers(r.Spec.To))
	if pause, err := r.Status.Cost.Pause.Duration(); err == nil && !real {
		says += fmt.Sprintf(", after a pause of %.1fs", pause.Seconds())
		if lost, err := r.Status.Cost.Lost.Duration(); err == nil && lost > 0 {
			says += fmt.Sprintf(" and %.1fs of work to be done again", lost.Seconds())
		}
	}
	return says + "."
}

func workers(count int32) string { return elastic.CountOf(count, "worker") }

// brief is a span of time to the second, such as 45s or 1m40s.
func brief(d time.Duration) string { return d.Round(time.Second).String() }
