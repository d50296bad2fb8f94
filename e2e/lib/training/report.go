package training

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"time"
)

// report is what a job says of itself.
type report struct{ progress, checkpoint string }

// reportOf is what there is to say: nothing before the training moves. What was lost in a restart
// shows when it moves again, as with real ones.
func (s Spec) reportOf(state State) report {
	var r report
	if s.Silent {
		return r
	}
	switch {
	case s.Habits != nil:
		r.progress = state.Noted
	case !state.MovedAt.IsZero():
		done := strconv.FormatFloat(math.Floor(state.Done), 'f', -1, 64)
		if !s.HideTotal {
			done += "/" + strconv.FormatFloat(s.Total, 'f', -1, 64)
		}
		r.progress = fmt.Sprintf("%s %s at %s", done, s.Unit, state.MovedAt.UTC().Format(time.RFC3339Nano))
	}
	if !state.SavedAt.IsZero() && (s.Habits == nil || s.CheckpointEvery.Duration > 0) {
		r.checkpoint = state.SavedAt.UTC().Format(time.RFC3339Nano)
	}
	return r
}

var reported = regexp.MustCompile(`^([0-9.]+)`)

// resumed is the state of a training that somebody else has played before, from what it has
// reported: the work that it has reported counts as saved.
func resumed(annotations map[string]string, now time.Time) State {
	state := State{At: now}
	if text := reported.FindString(annotations[ProgressAnnotation]); text != "" {
		if done, err := strconv.ParseFloat(text, 64); err == nil {
			state.Done, state.Saved = done, done
		}
	}
	if saved, err := time.Parse(time.RFC3339Nano, annotations[CheckpointAnnotation]); err == nil {
		state.SavedAt = saved
	}
	return state
}
