package live

import "github.com/takt-dev/takt/elastic/resize"

// Seen is what is seen of a job whose workers could join and leave while it trains.
type Seen struct {
	Workers resize.Workers // 0 while it is stopped
	// Retries are how many failures its controller lets it have; nil for any number.
	Retries *int
	// Failed is how many of them its pods have used up.
	Failed int
	// EndsByLeaver says that a worker which is told to leave, and exits with 0, ends the whole job.
	EndsByLeaver bool
	// Wrapped says that its workers have Takt's agent, which keeps their exit from looking like success.
	Wrapped bool
	// OtherEnded says that a worker which left has ended another job of its profile.
	OtherEnded bool
}

// Hazard is why a job is resized by a restart whose workers could join and leave. People are told that reason.
type Hazard string

// The hazards. Without any a job is resized while it trains.
const (
	// TooFewRetries is that the job would fail if each of its workers failed once. With PyTorch 2.6 they do: a worker
	// that is told to leave closes the rendezvous of those that stay, whose containers then end and start anew. The pods
	// that a restart makes have not failed yet.
	TooFewRetries Hazard = "TooFewRetries"
	// LeaverExitsWithZero is that a worker which leaves is likely to end the job as if its work were done.
	LeaverExitsWithZero Hazard = "LeaverExitsWithZero"
)

// Hazard is the first that there is; empty if there is none.
func (s Seen) Hazard() Hazard {
	switch {
	case s.failsByRetries():
		return TooFewRetries
	case s.GoesByProfile() && s.OtherEnded:
		return LeaverExitsWithZero
	}
	return ""
}

// GoesByProfile says that it depends on what became of other jobs of its profile.
func (s Seen) GoesByProfile() bool { return s.EndsByLeaver && !s.Wrapped && !s.failsByRetries() }

func (s Seen) failsByRetries() bool {
	return s.Retries != nil && s.Workers > 0 && int(s.Workers) >= *s.Retries-s.Failed
}

// Plenty is how many failures are to be left to a job with some retries that fears for them: enough for ten resizes.
func Plenty(retries int, workers resize.Workers) int { return max(100, retries+10*int(workers)) }
