package yield

import "github.com/takt-dev/takt/elastic"

// Stop is what is seen of a job that somebody else than Takt has suspended.
type Stop struct {
	// Submitted says that it was suspended when it was submitted, for Takt to start it.
	Submitted bool
	// Applied says that the suspension came along with a manifest that was applied as a whole.
	Applied bool
	// TakenBack is when manifests have taken back what Takt had asked of the job, each once, this time among them.
	TakenBack []elastic.Seconds
}

// Means says whether a job stays suspended. A manifest that is applied as a whole, and by which the job was submitted
// suspended, says it whatever line of it was changed: nobody wants the job to stop. One that does so each time that it
// was started is left alone.
func (s Stop) Means(now elastic.Seconds) bool {
	return !s.Submitted || !s.Applied || tooOften(s.TakenBack, now)
}
