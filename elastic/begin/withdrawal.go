package begin

import (
	"fmt"

	"github.com/takt-dev/takt/elastic"
)

// Withdrawal is a change of size to give up, which is under way.
type Withdrawal struct {
	Job string          `json:"job"`
	To  elastic.Workers `json:"to"` // that it is on its way to
	// Why says why it is not wanted any more, in sentences: what it holds is needed elsewhere, or what it would give back
	// is needed no more.
	Why string `json:"why"`
}

// yields says that a change is to be given up as nobody trains differently yet: a growth for a smaller size, and a
// shrink where the job is to have at least what it had. One that was stopped to grow goes back to the size that it had,
// and another than that would take a second restart.
func (u *UnderWay) yields(to elastic.Workers) bool {
	switch {
	case u.Settled:
		return false
	case u.To < u.From:
		return to >= u.From
	}
	return to < u.To && (!u.Stopped || to <= u.From)
}

// keptFrom are the changes to give up of jobs that the plan takes to have the size which they have as long as nobody
// trains differently, and lets keep it.
func (b *beginning) keptFrom() {
	for i := range b.Jobs {
		job, under := &b.Jobs[i], b.Seen[b.Jobs[i].Name].UnderWay
		if under == nil || under.Settled || job.Workers != under.From || b.decision.Jobs[i].Workers != under.From {
			continue
		}
		b.Hindered[i] = nil
		b.Withdraw = append(b.Withdraw, under.withdrawn(elastic.Resize{Job: job.Name, To: under.From},
			b.decision.Jobs[i].Why))
	}
}

// withdrawn is a change that yields to another, which was decided for a reason.
func (u *UnderWay) withdrawn(r elastic.Resize, decided string) Withdrawal {
	why := fmt.Sprintf("It was to grow to %s, and is to have %s now.", elastic.Count(u.To), elastic.Count(r.To))
	switch {
	case u.To == 0:
		why = fmt.Sprintf("It was to stop, and is to have %s now.", elastic.Count(r.To))
	case u.To < u.From:
		why = fmt.Sprintf("It was to shrink to %s, and is to have %s now.", elastic.Count(u.To), elastic.Count(r.To))
	}
	if decided != "" {
		why += " " + decided
	}
	return Withdrawal{Job: r.Job, To: u.To, Why: why}
}
