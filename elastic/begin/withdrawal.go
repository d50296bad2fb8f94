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
