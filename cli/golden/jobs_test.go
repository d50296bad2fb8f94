package golden

import (
	"testing"

	"github.com/takt-dev/takt/elastic"
)

// What the job says that is at risk is what the planner says of it.
func TestTheJobAtRiskIsAsItIsPlanned(t *testing.T) {
	job, d := Job("bert", AtRisk), elastic.Plan(*Snapshot())
	if got, want := job.Status.Message, d.Jobs[1].Message; got != want {
		t.Errorf("it says %q, want %q", got, want)
	}
}
