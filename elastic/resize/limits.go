package resize

import (
	"fmt"
	"time"
)

// Limits bound every wait of a resize. All are greater than zero.
type Limits struct {
	// SettleAfter is how long the scheduler may look for room for all new pods
	// while fewer, but enough, would fit. It is shorter than PlaceWithin.
	SettleAfter time.Duration
	// PlaceWithin is how long the scheduler may take to place the new pods. Each
	// resize may bring its own.
	PlaceWithin time.Duration
	// ReadyWithin is how long placed pods may take to reach the barrier. Images
	// of several gigabytes are pulled in this time.
	ReadyWithin time.Duration
	// AcknowledgeWithin is how long the training may take to answer that it will
	// save its state, from when the request has reached it. That may take its node
	// as long as CheckpointWithin.
	AcknowledgeWithin time.Duration
	// CheckpointWithin is how long a checkpoint is waited for, whether the job
	// makes it by itself or because it was asked to.
	CheckpointWithin time.Duration
	// CheckpointFresh is how old a checkpoint may be to count as just made.
	CheckpointFresh time.Duration
	// DrainWithin is how long workers that leave may take to be gone.
	DrainWithin time.Duration
	// StopWithin is how long all pods of a suspended job may take to be gone.
	StopWithin time.Duration
	// VerifyWithin is how long a running training may take to advance again
	// after workers have joined or left. One that was seen to take long to start
	// has longer.
	VerifyWithin time.Duration
	// StartWithin is the same for a training that starts: it loads data first. One
	// that was never seen to start may take as long when its workers change, and
	// then it is enough that they run.
	StartWithin time.Duration
	// SteadyFor is how long the workers of a job that does not report progress
	// must run to be believed.
	SteadyFor time.Duration
}

// DefaultLimits returns limits that suit most jobs.
func DefaultLimits() Limits {
	return Limits{
		SettleAfter:       20 * time.Second,
		PlaceWithin:       2 * time.Minute,
		ReadyWithin:       10 * time.Minute,
		AcknowledgeWithin: 15 * time.Second,
		CheckpointWithin:  2 * time.Minute,
		CheckpointFresh:   15 * time.Second,
		DrainWithin:       2 * time.Minute,
		StopWithin:        5 * time.Minute,
		VerifyWithin:      5 * time.Minute,
		StartWithin:       20 * time.Minute,
		SteadyFor:         30 * time.Second,
	}
}

// PlacedWithin are the limits of a resize whose pods are to be placed within a time of their own.
func (l Limits) PlacedWithin(d time.Duration) Limits {
	l.PlaceWithin, l.SettleAfter = d, min(l.SettleAfter, d-1)
	return l
}

// LimitError says which limit makes no sense, and why.
type LimitError struct {
	Name  string
	Value time.Duration
	Want  string
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("limit %s is %s, but must be %s", e.Name, e.Value, e.Want)
}

// Validate returns a *LimitError for the first limit that makes no sense.
func (l Limits) Validate() error {
	for _, each := range []struct {
		name  string
		value time.Duration
	}{
		{"SettleAfter", l.SettleAfter},
		{"PlaceWithin", l.PlaceWithin},
		{"ReadyWithin", l.ReadyWithin},
		{"AcknowledgeWithin", l.AcknowledgeWithin},
		{"CheckpointWithin", l.CheckpointWithin},
		{"CheckpointFresh", l.CheckpointFresh},
		{"DrainWithin", l.DrainWithin},
		{"StopWithin", l.StopWithin},
		{"VerifyWithin", l.VerifyWithin},
		{"StartWithin", l.StartWithin},
		{"SteadyFor", l.SteadyFor},
	} {
		if each.value <= 0 {
			return &LimitError{each.name, each.value, "greater than zero"}
		}
	}
	for _, each := range []struct {
		name, longer   string
		short, notLess time.Duration
	}{
		{"SettleAfter", "PlaceWithin", l.SettleAfter, l.PlaceWithin},
		{"AcknowledgeWithin", "CheckpointWithin", l.AcknowledgeWithin, l.CheckpointWithin},
		{"SteadyFor", "VerifyWithin", l.SteadyFor, l.VerifyWithin},
		{"SteadyFor", "StartWithin", l.SteadyFor, l.StartWithin},
	} {
		if each.short >= each.notLess {
			return &LimitError{each.name, each.short,
				fmt.Sprintf("less than %s, which is %s", each.longer, each.notLess)}
		}
	}
	return nil
}
