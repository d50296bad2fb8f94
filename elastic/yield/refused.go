package yield

import "github.com/takt-dev/takt/elastic"

// passesWithin is how long a job that Takt keeps from running waits for its refusal to pass.
const passesWithin = elastic.Seconds(60)

// Refused is what is seen of a job that Takt may not look after, and of which no change of its size is under way.
type Refused struct {
	// StartedByOthers says that others have started it, and that Takt's marks are still on it.
	StartedByOthers bool `json:"startedByOthers,omitempty"`
	// Stopped says that Takt keeps it from running, and nobody else: it was submitted so that Takt starts it, or Takt has
	// stopped it, and it waits for no other job.
	Stopped bool `json:"stopped,omitempty"`
	// MayPass says that Takt is to look after it all the same: somebody has yet to make its queue, say.
	MayPass bool `json:"mayPass,omitempty"`
	// Since is since when it is seen to be refused.
	Since elastic.Seconds `json:"since,omitempty"`
}

// LetsRun says whether Takt lets go of a job, so that it runs as it is written. It must not wait for ever for a queue
// that somebody has deleted.
func (r Refused) LetsRun(now elastic.Seconds) bool {
	return r.StartedByOthers || r.Stopped && (!r.MayPass || now >= r.Until())
}

// Until is until when its refusal may pass.
func (r Refused) Until() elastic.Seconds { return r.Since + passesWithin }
