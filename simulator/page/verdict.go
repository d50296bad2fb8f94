package page

import (
	"fmt"
	"math"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/simulator"
)

// verdict is what became of a job. It is also the class of its shapes on the page.
type verdict string

const (
	met        verdict = "met"
	missed     verdict = "missed"
	bestEffort verdict = "effort"
)

func verdictOf(t *simulator.Training) verdict {
	switch {
	case t.BestEffort():
		return bestEffort
	case t.Met():
		return met
	default:
		return missed
	}
}

func finished(t *simulator.Training) bool { return !math.IsInf(float64(t.Finished), 1) }

// fate tells in a sentence what became of a job.
func (s span) fate(t *simulator.Training) string {
	job := fmt.Sprintf("%s (%s), submitted at %s: ", name(t.ID, 48), name(t.Model, 32), s.moment(t.Submit))
	switch {
	case !finished(t):
		job += "never finished"
	case t.BestEffort():
		job += "no deadline, took " + elapsed(t.Finished-t.Submit)
	case t.Met():
		job += "finished " + elapsed(max(0, t.Deadline-t.Finished)) + " before its deadline"
	default:
		job += "finished " + elapsed(t.Finished-t.Deadline) + " late"
	}
	return fmt.Sprintf("%s; sized %s", job, elastic.CountOf(t.Resizes, "time"))
}

// told is what the owner of a job was told about its deadline.
func told(t *simulator.Training) string {
	switch {
	case t.Promised:
		return "promised"
	case t.Declined:
		return "declined"
	default:
		return "nothing"
	}
}
