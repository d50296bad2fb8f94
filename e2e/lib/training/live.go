package training

import (
	"time"

	"github.com/takt-dev/takt/operator/zoo/habit"
)

// Pace is how much faster habits are played than they are meant: a minute of theirs takes a second.
const Pace = 60

const second = time.Second / Pace

// Line is one that a training has written to its log.
type Line struct {
	At   time.Time
	Text string
}

// Like is a training with all habits of another, which was written for so many workers.
func Like(h habit.Habits, written int) Spec {
	return Spec{
		Total: h.Work(written), Unit: "steps", StepsPerSecond: Speed{Base: h.Speed * Pace, Scaling: h.Scaling}, Habits: &h,
	}
}

// Takes is how long a training with habits takes at a size, from when its workers run.
func (s Spec) Takes(workers int) time.Duration {
	life := s.life(State{})
	return (life.Restart + life.Compiles + life.Lasts(s.StepsPerSecond.Of(workers)/Pace)) / Pace
}

// life is that of a training in a state, which begins where it has none yet.
func (s Spec) life(state State) habit.Life {
	if state.Life != nil {
		return *state.Life
	}
	h := *s.Habits
	if s.Restart.Duration > 0 {
		h.Restart = s.Restart.Duration * Pace
	}
	if s.CheckpointEvery.Duration > 0 {
		h.SavesEvery = s.CheckpointEvery.Duration * Pace
	}
	life := habit.New(h, s.Total)
	life.Steps, life.Saved, life.Among = state.Done, state.Saved, state.Crew.Workers
	return life
}

// live is Advance for a training with habits: it goes by whole seconds of theirs.
func (s Spec) live(state State, now time.Time) State {
	steps := s.StepsPerSecond.Of(state.Crew.Workers) / Pace
	end := s.Total
	if s.FailAt > 0 {
		end *= s.FailAt
	}
	life := s.life(state)
	for steps > 0 && state.Outcome == "" && !state.At.Add(second).After(now) {
		state.At = state.At.Add(second)
		for _, text := range life.Second(steps) {
			if life.By == habit.Annotation {
				state.Noted = habit.Note(text)
			} else {
				state.Said = append(state.Said, Line{state.At, text})
			}
		}
		if life.Steps > state.Done {
			state.MovedAt = state.At
		}
		if life.Saved > state.Saved {
			state.SavedAt = state.At
		}
		state.Done, state.Saved = life.Steps, life.Saved
		if state.Done >= end && (s.FailAt > 0 || life.Over()) {
			state.Done, state.Outcome = end, Finished
			if s.FailAt > 0 {
				state.Outcome = Broken
			}
		}
	}
	state.Life = &life
	if (steps == 0 || state.Outcome != "") && state.At.Before(now) {
		state.At = now
	}
	return state
}

// meet is Change for a training with habits.
func (s Spec) meet(state State, crew Crew, now time.Time) State {
	life := s.life(state)
	if s.SavesOnStop && state.Crew.Workers > 0 && life.Steps > life.Saved {
		life.Saved, state.SavedAt = life.Steps, now
	}
	life.Among = crew.Workers
	life.GoBack()
	state.Done, state.Saved, state.Crew, state.Life = life.Steps, life.Saved, crew, &life
	return state
}
