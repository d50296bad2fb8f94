package yield

import (
	"slices"

	"github.com/takt-dev/takt/elastic"
)

// passesWithin is how long a job that Takt keeps from running waits for its refusal to pass.
const passesWithin = elastic.Seconds(60)

// Refused is what is seen of a job that Takt may not look after, and of which no change of its size is under way.
type Refused struct {
	// StartedByOthers says that others have started it, and that Takt's marks are still on it.
	StartedByOthers bool `json:"startedByOthers,omitempty"`
	// Stopped says that Takt keeps it from running, and nobody else: it was submitted so that Takt starts it, or Takt has
	// stopped it, and it waits for no other job.
	Stopped bool `json:"stopped,omitempty"`
	// Reason is why Takt may not look after it: one of those below, or any other.
	Reason string `json:"reason,omitempty"`
	// Since is since when it is seen to be refused.
	Since elastic.Seconds `json:"since,omitempty"`
}

// Reasons of refusals that may pass by themselves.
const (
	QueueNotFound    = "QueueNotFound"    // somebody has yet to make its queue
	QueueNotAllowed  = "QueueNotAllowed"  // or to let its namespace use it
	NoSizes          = "NoSizes"          // somebody is about to correct the sizes that it is to have
	InvalidShorthand = "InvalidShorthand" // or what is written on it, and cannot be used
)

// mayPass says that Takt is to look after a job all the same, once somebody has done what they are about to do.
func (r Refused) mayPass() bool {
	return slices.Contains([]string{QueueNotFound, QueueNotAllowed, NoSizes, InvalidShorthand}, r.Reason)
}

// LetsRun says whether Takt lets go of a job, so that it runs as it is written. It must not wait for ever for a queue
// that somebody has deleted.
func (r Refused) LetsRun(now elastic.Seconds) bool {
	return r.StartedByOthers || r.Stopped && (!r.mayPass() || now >= r.Until())
}

// Until is until when its refusal may pass.
func (r Refused) Until() elastic.Seconds { return r.Since + passesWithin }
