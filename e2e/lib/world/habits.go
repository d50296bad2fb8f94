package world

import (
	"fmt"
	"slices"
	"time"

	"github.com/takt-dev/takt/e2e/lib/extent"
	"github.com/takt-dev/takt/e2e/lib/training"
	"github.com/takt-dev/takt/operator/zoo/habit"
)

var drawing bool

// DrawHabits gives each job whose test says nothing of its training the habits of one that people run, by the
// seed of the run: whatever such a test is about must hold for all of them. Call it before Main.
func DrawHabits() { drawing = true }

// draw is how a job trains and tells of it; nil if that is not drawn.
func (w *World) draw(job string) *habit.Habits {
	w.t.Helper()
	if !drawing {
		return nil
	}
	animals := slices.DeleteFunc(habit.Animals(), func(a habit.Animal) bool { return !tells(a.Habits) })
	animal := extent.One(w.t, animals, job)
	w.t.Logf("%s has the habits of %q", job, animal.Name)
	h := animal.Habits
	// What a restart costs is as in all tests that do not say otherwise.
	h.Restart, h.SavesEvery, h.Saves, h.Forgets, h.Crashes, h.ExitsZero = 0, 0, 0, false, 0, false
	return &h
}

// tells says that a training is heard of every now and then while a test takes, however much work it has.
func tells(h habit.Habits) bool {
	counts := h.As == habit.Steps || h.As == habit.StepsAlone || h.As == habit.PerEpoch
	return counts && h.Tells > 0 && h.Tells <= 10*time.Minute
}

// total notes on a job how much it has to do, if its training is one that counts on that.
func total(notes map[string]string, how training.Spec) map[string]string {
	if how.Habits == nil || how.Habits.As != habit.StepsAlone || notes[training.ProgressAnnotation] != "" {
		return notes
	}
	return with(notes, training.ProgressAnnotation, fmt.Sprintf("0/%.0f steps", how.Total))
}
