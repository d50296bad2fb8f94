package gang

import "time"

// Limits bound how long something may last.
type Limits struct {
	// Hold is how long a plan stands that is not carried out.
	Hold time.Duration
	// Orphan is how long pods wait for a Resize that is not there, before they are placed without it:
	// nobody's pods wait for Takt for ever.
	Orphan time.Duration
	// Retry is how long a gang whose plan has failed waits before the next, at first; twice as long each
	// time, and at most RetryMost.
	Retry, RetryMost time.Duration
	// Starving is how long a gang waits before it may claim nodes, how long the claims of a job last, and how long it may
	// have none after that.
	Starving time.Duration
}

// DefaultLimits suit most clusters.
func DefaultLimits() Limits {
	return Limits{Hold: 30 * time.Second, Orphan: time.Minute, Retry: 100 * time.Millisecond, RetryMost: 10 * time.Second,
		Starving: 15 * time.Minute}
}
