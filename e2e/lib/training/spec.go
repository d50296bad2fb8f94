package training

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/operator/zoo/habit"
)

// The annotations of a job.
const (
	SimulateAnnotation   = "training.takt.dev/simulate" // a Spec
	ProgressAnnotation   = "takt.dev/progress"          // such as 420/1000 steps at 2026-11-21T18:00:00Z
	CheckpointAnnotation = "takt.dev/checkpoint"        // when the training last saved its state
)

// Spec is how a training behaves.
type Spec struct {
	// Total is the work, counted in Unit, which is steps if it is not given.
	Total float64 `json:"total"`
	Unit  string  `json:"unit,omitempty"`
	// StepsPerSecond is the speed by the number of workers.
	StepsPerSecond Speed `json:"stepsPerSecond"`
	// Restart is how long the training stands still when it starts, and whenever its workers change.
	Restart metav1.Duration `json:"restart,omitzero"`
	// CheckpointEvery is how often it saves its state; without it, never. What was done since is
	// lost in a restart.
	CheckpointEvery metav1.Duration `json:"checkpointEvery,omitzero"`
	// SavesOnStop says that it saves its state also when it is told to stop or to restart, so that
	// nothing is lost.
	SavesOnStop bool `json:"savesOnStop,omitempty"`
	// FailAt is the share of the work after which its pods fail with exit code 1; 0 is never.
	FailAt float64 `json:"failAt,omitempty"`
	// Silent says that it reports nothing, and HideTotal that it does not tell Total.
	Silent    bool `json:"silent,omitempty"`
	HideTotal bool `json:"hideTotal,omitempty"`
	// Habits are those of a real training: how it tells how far it is, and what it does besides training. A
	// minute of theirs takes a second. Its work and speed are those above, and so are Restart and
	// CheckpointEvery if they are given; only with CheckpointEvery are its checkpoints noted on the job.
	Habits *habit.Habits `json:"habits,omitempty"`
}

// ParseSpec reads the annotation.
func ParseSpec(text string) (Spec, error) {
	s := Spec{Unit: "steps"}
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return Spec{}, fmt.Errorf("the annotation %s is not as it should be: %w", SimulateAnnotation, err)
	}
	if s.Total <= 0 {
		return Spec{}, fmt.Errorf("the annotation %s needs a total of more than 0", SimulateAnnotation)
	}
	return s, nil
}

// String is the annotation.
func (s Spec) String() string {
	text, err := json.Marshal(s)
	if err != nil {
		return err.Error() // which ParseSpec refuses
	}
	return string(text)
}

// Speed is units of work a second by the number of workers: either measured at some sizes, as in
// {"1": 10, "4": 35}, or Base × workers^Scaling, as in {"base": 10, "scaling": 0.9}.
//
// Between two sizes that were measured, the speed is between theirs; below the smallest it is in
// proportion, and above the greatest it grows no more. A size with speed 0 is one at which the
// training hangs.
type Speed struct {
	At            map[int]float64
	Base, Scaling float64
}

// Of is the speed with so many workers.
func (s Speed) Of(workers int) float64 {
	if workers <= 0 {
		return 0
	}
	if len(s.At) == 0 {
		return s.Base * math.Pow(float64(workers), s.Scaling)
	}
	below, above := 0, 0
	for size := range s.At {
		if size <= workers {
			below = max(below, size)
		}
		if size >= workers && (above == 0 || size < above) {
			above = size
		}
	}
	if above == 0 || above == below {
		return s.At[below]
	}
	// In proportion from below, which is no speed of nobody if nothing so small was measured.
	part := float64(workers-below) / float64(above-below)
	return s.At[below] + part*(s.At[above]-s.At[below])
}

// UnmarshalJSON takes both forms.
func (s *Speed) UnmarshalJSON(text []byte) error {
	var entries map[string]float64
	if err := json.Unmarshal(text, &entries); err != nil {
		return err
	}
	*s = Speed{}
	if base, ok := entries["base"]; ok {
		s.Base, s.Scaling = base, 1
		if scaling, ok := entries["scaling"]; ok {
			s.Scaling = scaling
		}
		return nil
	}
	s.At = map[int]float64{}
	for size, speed := range entries {
		workers, err := strconv.Atoi(size)
		if err != nil || workers < 1 || speed < 0 {
			return fmt.Errorf("stepsPerSecond maps numbers of workers to speeds, or has base and scaling: %q: %v is neither",
				size, speed)
		}
		s.At[workers] = speed
	}
	if len(s.At) == 0 {
		return errors.New("stepsPerSecond is empty")
	}
	return nil
}

// MarshalJSON gives the form that was taken.
func (s Speed) MarshalJSON() ([]byte, error) {
	if len(s.At) == 0 {
		return json.Marshal(map[string]float64{"base": s.Base, "scaling": s.Scaling})
	}
	entries := map[string]float64{}
	for size, speed := range s.At {
		entries[strconv.Itoa(size)] = speed
	}
	return json.Marshal(entries)
}

// Measured is a speed that was measured at 1, 2, 3, … workers.
func Measured(speeds ...float64) Speed {
	s := Speed{At: map[int]float64{}}
	for i, speed := range slices.All(speeds) {
		s.At[i+1] = speed
	}
	return s
}
