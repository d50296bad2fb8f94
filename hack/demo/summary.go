package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
)

// told remembers when jobs were first told that their deadline cannot be met.
type told map[string]time.Time

func (t told) note(s scene) {
	for _, j := range s.jobs {
		if _, known := t[j.name]; !known && j.verdict() == v1alpha1.VerdictInfeasible {
			t[j.name] = s.at
		}
	}
}

// score counts the deadlines that could be met, and those that were.
func score(s scene) (met, feasible int) {
	for _, p := range s.story.parts {
		if p.deadline > 0 && !p.infeasible {
			feasible++
		}
	}
	for _, j := range s.jobs {
		if !j.infeasible && j.verdict() == v1alpha1.VerdictMet {
			met++
		}
	}
	return met, feasible
}

// summary is what has come of it all. Everything in it was measured.
func (c canvas) summary(s scene, first told) []string {
	met, feasible := score(s)
	lines := []string{"", fmt.Sprintf("Of the deadlines that could be met, %d of %d were met; it took %s.", met, feasible,
		brief(s.at.Sub(s.begun)))}
	if n := placed(s); n > 0 {
		lines = append(lines, fmt.Sprintf("takt-scheduler placed the new workers of %s, all of each at once.",
			elastic.CountOf(n, "resize")))
	}
	for _, j := range s.jobs {
		lines = append(lines, c.clip(fmt.Sprintf("  %-8s %-44s %s", j.name, ending(j, first), resized(j))))
	}
	return lines
}

// placed counts the resizes whose new workers takt-scheduler has placed: no other scheduler says so on a Resize.
func placed(s scene) (n int) {
	for _, j := range s.jobs {
		for _, r := range j.resizes {
			more := r.Spec.To - r.Spec.From
			if p := r.Status.Placement; more > 0 && p.ObservedAt != "" && p.Fits >= more {
				n++
			}
		}
	}
	return n
}

// ending is what has become of a job.
func ending(j job, first told) string {
	trained := fmt.Sprintf("%.0f%% done", 100*j.done)
	if j.elastic == nil {
		return trained
	}
	deadline, _ := j.elastic.Status.Deadline.Time()
	at, known := first[j.name]
	verdict := strings.ToLower(string(j.verdict()))
	switch {
	case j.deadline == 0:
		return "has no deadline, " + trained
	case known && j.infeasible:
		return fmt.Sprintf("cannot make it: told %s before, %s", brief(deadline.Sub(at)), trained)
	case j.finished():
		end, _ := j.elastic.Status.Prediction.ETA.Time()
		return fmt.Sprintf("%s its deadline, with %s to spare", verdict, brief(deadline.Sub(end)))
	}
	return fmt.Sprintf("%s, %s", verdict, trained)
}

// resized is what resizes have cost a job.
func resized(j job) string {
	measured := 0
	for _, r := range j.resizes {
		if _, err := r.Status.Cost.Pause.Duration(); err == nil {
			measured++
		}
	}
	if measured == 0 {
		return "no resize was measured"
	}
	return fmt.Sprintf("%.1fs in %s", j.pauses().Seconds(), elastic.CountOf(measured, "pause"))
}
