package predictor

import (
	"cmp"
	"errors"
	"fmt"
	"math"
)

// Profile is what runs of the same training code have learned, so that the next run is predicted
// from its first second. Several runs may learn at once: each writes only under its own name, and
// Merge keeps the newest of each. Speeds carry over if all runs measure work in the same unit.
type Profile struct {
	Speeds   []Speed         `json:"speeds,omitempty"`
	Restarts []RestartRecord `json:"restarts,omitempty"`
	// Runs are those that have ended.
	Runs []Whole `json:"runs,omitempty"`
}

// Speed is what one run knows of one shape.
type Speed struct {
	Run   string  `json:"run"`
	Seen  Seconds `json:"seen"` // when it was recorded
	Shape Shape   `json:"shape"`
	Step  Seconds `json:"stepSeconds"`
	Count uint64  `json:"count"` // observations behind it
	// Total is the work of the whole run, and CountedBy the number of workers of which it was first told; 0 if nobody
	// knew.
	Total     Work    `json:"total,omitempty"`
	CountedBy Workers `json:"countedBy,omitempty"`
	// Every is the usual time from one report to the next; 0 if nobody knew.
	Every Seconds `json:"everySeconds,omitempty"`
}

// RestartRecord is what one run knows of restarts.
type RestartRecord struct {
	Run   string  `json:"run"`
	Seen  Seconds `json:"seen"`
	Costs []Cost  `json:"costs"`
}

// Limits of a profile. What exceeds them gives way to what is newer.
const (
	maxSpeeds         = 256
	maxRestartRecords = 32
	maxRuns           = 32
	maxSpent          = 16 // of a run
	maxRunName        = 253
)

// ErrProfile is wrapped by every complaint about a stored profile.
var ErrProfile = errors.New("the profile cannot be used")

// Record writes what a run has learned itself, at a moment, into the profile.
func (p *Profile) Record(run string, at Seconds, m *Model, r *Restarts) error {
	own := Profile{}
	if m != nil {
		for _, cell := range m.cells {
			if cell.count == 0 || cell.computing {
				continue
			}
			own.Speeds = append(own.Speeds, Speed{
				Run: run, Seen: at, Shape: cell.at.shape, Step: Seconds(math.Exp(cell.own())), Count: cell.count,
			})
		}
	}
	if r != nil && len(r.recent) > 0 {
		own.Restarts = append(own.Restarts, RestartRecord{run, at, r.inOrder()})
	}
	if err := own.validate(); err != nil {
		return err
	}
	*p = Merge(*p, own)
	return nil
}

// validate complains of the first thing that cannot be, and fills in the defaults of shapes.
func (p *Profile) validate() error {
	for i := range p.Speeds {
		s := &p.Speeds[i]
		shape, err := s.Shape.normal()
		if err == nil {
			err = validRecord(s.Run, s.Seen)
		}
		if err == nil {
			err = positive("the step time", float64(s.Step), float64(minStep), float64(maxStep))
		}
		if err == nil && s.Count == 0 {
			err = &ValueError{"the count", 0, ErrNotGreater}
		}
		if err != nil {
			return fmt.Errorf("%w: speed %d: %w", ErrProfile, i, err)
		}
		s.Shape = shape
	}
	for i, r := range p.Restarts {
		err := validRecord(r.Run, r.Seen)
		if err == nil && (len(r.Costs) == 0 || len(r.Costs) > window) {
			err = &ValueError{"the number of restarts", float64(len(r.Costs)), ErrOutOfRange}
		}
		for _, cost := range r.Costs {
			if err == nil {
				err = new(Restarts).Observe(cost)
			}
		}
		if err != nil {
			return fmt.Errorf("%w: restarts %d: %w", ErrProfile, i, err)
		}
	}
	for i, r := range p.Runs {
		err := validRecord(r.Run, r.Seen)
		if err == nil && (len(r.Took) == 0 || len(r.Took) > maxSpent) {
			err = &ValueError{"the number of shapes", float64(len(r.Took)), ErrOutOfRange}
		}
		if r.Closing != nil && err == nil && !(*r.Closing >= 0 && *r.Closing <= maxStep) {
			err = &ValueError{"what came after the last step", float64(*r.Closing), ErrOutOfRange}
		}
		for _, s := range r.Took {
			if _, wrong := s.Shape.normal(); err == nil {
				err = cmp.Or(wrong, positive("the time of a run", float64(s.Time), float64(minStep), float64(maxStep)))
			}
		}
		if err != nil {
			return fmt.Errorf("%w: run %d: %w", ErrProfile, i, err)
		}
	}
	return nil
}

func validRecord(run string, seen Seconds) error {
	if run == "" || len(run) > maxRunName {
		return fmt.Errorf("the name of a run must have 1 to %d bytes", maxRunName)
	}
	if math.IsNaN(float64(seen)) || math.Abs(float64(seen)) > float64(maxStep) {
		return &ValueError{"the time of the record", float64(seen), ErrOutOfRange}
	}
	return nil
}
