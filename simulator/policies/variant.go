package policies

import (
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/simulator"
)

// Variant is takt with another start or other trials, to compare with. It has no name that [New] knows.
type Variant struct {
	takt
	// Verdicts are when each job was first told whether it will be in time.
	Verdicts map[string]simulator.Seconds
}

// NewVariant makes the policy.
func NewVariant(v elastic.Variant) *Variant {
	return &Variant{takt{v.Plan, map[string]elastic.Outcome{}, map[string]turn{}}, map[string]simulator.Seconds{}}
}

// Decide decides as takt does, and notes who is told.
func (v *Variant) Decide(s simulator.State) simulator.Seconds {
	wake := v.takt.Decide(s)
	for _, t := range s.Jobs {
		if _, told := v.Verdicts[t.ID]; !told && v.decided[t.ID].Verdict != elastic.Estimating {
			v.Verdicts[t.ID] = s.Now
		}
	}
	return wake
}
