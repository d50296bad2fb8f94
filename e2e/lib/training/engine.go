package training

import (
	"time"

	"github.com/takt-dev/takt/operator/zoo/habit"
)

// Outcome is how a training has ended.
type Outcome string

// The outcomes of a training; none while it goes on.
const (
	Finished Outcome = "Finished"
	Broken   Outcome = "Broken"
)

// Crew are those who train together. Two crews with the same members have the same Members.
type Crew struct {
	Workers int
	Members string
}

// State is a training at one moment. Saved never exceeds Done, and Done never exceeds the work.
type State struct {
	At   time.Time // up to when it is reckoned
	Crew Crew
	// Resumes is when the restart that is under way is over; in the past if none is.
	Resumes time.Time

	Done    float64
	MovedAt time.Time // when Done last grew; zero before
	Saved   float64
	SavedAt time.Time // when the state was last saved; zero before

	// Of a training with habits: Life is where it is in them, Noted the last that it has noted on the job, and
	// Said what it has written to its log since somebody has taken that.
	Life  *habit.Life
	Noted string
	Said  []Line

	Outcome Outcome
}

// Advance is the state at a later moment, with the same crew until then. It is the same whether
// the time passes in one piece or in many.
func (s Spec) Advance(state State, now time.Time) State {
	if s.Habits != nil {
		return s.live(state, now)
	}
	speed := s.StepsPerSecond.Of(state.Crew.Workers)
	end := s.Total
	if s.FailAt > 0 {
		end *= s.FailAt
	}
	for state.Outcome == "" && speed > 0 {
		from := later(state.At, state.Resumes)
		if !from.Before(now) {
			break
		}
		to := now
		finish := later(from, from.Add(time.Duration((end-state.Done)/speed*float64(time.Second))))
		if finish.Before(to) {
			to = finish
		}
		save := s.nextCheckpoint(state)
		if !save.IsZero() && !save.After(to) {
			save = later(from, save)
			to = save
		}
		state.Done = min(end, state.Done+speed*to.Sub(from).Seconds())
		if to.After(from) {
			state.MovedAt = to
		}
		state.At = to
		if to.Equal(save) {
			state.Saved, state.SavedAt = state.Done, to
		}
		if to.Equal(finish) {
			state.Done, state.Outcome = end, Finished
			if s.FailAt > 0 {
				state.Outcome = Broken
			}
		}
	}
	if state.At.Before(now) {
		state.At = now
	}
	return state
}

// nextCheckpoint is when the state is saved next; zero for never. A restart begins the count anew.
func (s Spec) nextCheckpoint(state State) time.Time {
	if s.CheckpointEvery.Duration <= 0 {
		return time.Time{}
	}
	return later(state.SavedAt, state.Resumes).Add(s.CheckpointEvery.Duration)
}

// Change is the state with another crew from now on: those who train start anew from what was saved.
// A change during a restart begins another restart, and loses nothing more.
func (s Spec) Change(state State, crew Crew, now time.Time) State {
	state = s.Advance(state, now)
	if state.Outcome != "" || crew == state.Crew {
		return state
	}
	if s.Habits != nil {
		return s.meet(state, crew, now)
	}
	if s.SavesOnStop && state.Crew.Workers > 0 && state.Done > state.Saved {
		state.Saved, state.SavedAt = state.Done, now
	}
	state.Done = state.Saved
	state.Crew = crew
	state.Resumes = now.Add(s.Restart.Duration)
	return state
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
