package learn

import (
	"errors"
	"fmt"
	"time"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/predictor"
)

// Health says how good the readings of a job are.
type Health string

const (
	// Good readings tell how far the job is.
	Good Health = "Good"
	// Unread means that no source has answered yet, and none was found wrong.
	Unread Health = "Unread"
	// Unreadable means that no source answers.
	Unreadable Health = "Unreadable"
	// Stale means that the last reading is too old.
	Stale Health = "Stale"
	// Stalled means that the job is read, and does not advance.
	Stalled Health = "Stalled"
	// WentBack means that the job has lost work without a resize.
	WentBack Health = "WentBack"
	// Jumped means that the job advanced faster than it can.
	Jumped Health = "Jumped"
	// Clock means that the readings are dated by a clock that is wrong.
	Clock Health = "Clock"
	// Gap means that nobody has read for long.
	Gap Health = "Gap"
	// Invalid means that a source says what cannot be.
	Invalid Health = "Invalid"
	// NoTotal means that nobody knows how much there is to do.
	NoTotal Health = "NoTotal"
)

// Doubtful says that what is known of a job may not be so any more: it may stand still, or be
// elsewhere, and nobody would see it.
func (h Health) Doubtful() bool {
	return h == Unreadable || h == Stale || h == Stalled || h == Invalid
}

// clock writes a moment so that it is not mistaken for one on another day.
type clock func(time.Time) string

// state is what the latest readings said besides how far the job is.
type state struct {
	health Health
	say    func(clock) string
}

// judge makes a state of what the counter said of the reading that was just taken, and of whether the training loads.
func (r *Run) judge(err error, from float64, since time.Duration, loads bool) {
	at, moved, was, is := r.at, r.movedAt, r.amount(from), r.amount(r.counted)
	set := func(h Health, say func(clock) string) { r.state = state{h, say} }
	fell := r.counted < from && !r.stretch.open &&
		(err == nil || errors.Is(err, predictor.ErrNoNews) || errors.Is(err, predictor.ErrWentBack))
	switch {
	case fell && loads:
		set(WentBack, func(clock clock) string {
			return "The training began again at " + clock(moved) + ", and does not tell yet from where it goes on."
		})
	case fell:
		set(WentBack, func(clock clock) string {
			return fmt.Sprintf("The progress went back from %s to %s at %s, as after a restart.", was, is, clock(at))
		})
	case err == nil:
		r.state = state{}
	case errors.Is(err, predictor.ErrNoNews):
		// A mishap is over with the next rate; to stand still, or to talk nonsense, at once.
		if r.state.health == Stalled || r.state.health == Invalid {
			r.state = state{}
		}
	case errors.Is(err, predictor.ErrStalled):
		if changed := r.stretch.changedAt; changed.After(moved) {
			set(Stalled, func(clock clock) string {
				return "The training has not advanced since its workers changed at " + clock(changed) + "."
			})
			return
		}
		set(Stalled, func(clock clock) string { return "The progress has stood still since " + clock(moved) + "." })
	case r.stretch.open && (errors.Is(err, predictor.ErrWentBack) || errors.Is(err, predictor.ErrGap)):
		r.state = state{} // as after every restart
	case errors.Is(err, predictor.ErrWentBack):
		// It went back from a jump that was not believed.
	case errors.Is(err, predictor.ErrJumped):
		set(Jumped, func(clock clock) string {
			return fmt.Sprintf("The progress jumped from %s to %s at %s. Such a reading counts only if the next one bears it "+
				"out; if it keeps jumping, see what the job reports.",
				was, is, clock(at))
		})
	case errors.Is(err, predictor.ErrGap):
		set(Gap, func(clock clock) string {
			return fmt.Sprintf("Its progress was not read for %s until %s.", about(since), clock(at))
		})
	case errors.Is(err, predictor.ErrClock):
		set(Clock, func(clock clock) string {
			return "The reading of its progress of " + clock(at) + " is dated no later than the one before it."
		})
	default:
		set(Invalid, func(clock) string { return "The last reading of its progress cannot be used: " + sentence(err) })
	}
}

// amount is an amount of work in words: a share, if the whole is known.
func (r *Run) amount(done float64) string {
	if r.tally.total > 0 {
		return fmt.Sprintf("%.3g %%", 100*done/r.tally.total)
	}
	return fmt.Sprintf("%g %s", done, r.tally.unit)
}

// about is a span in words, no finer than one can use.
func about(d time.Duration) string {
	switch {
	case d >= 48*time.Hour:
		return elastic.CountOf(int(d.Hours()/24), "day")
	case d >= time.Hour && int(d.Minutes())%60 > 0:
		return fmt.Sprintf("%dh%dm", int(d.Hours()), int(d.Minutes())%60)
	case d >= time.Hour:
		return fmt.Sprintf("%dh", int(d.Hours()))
	case d >= time.Minute:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	default:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	}
}
