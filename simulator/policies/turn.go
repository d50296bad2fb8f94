package policies

import "github.com/takt-dev/takt/simulator"

// turn is how a job stands that does not have to wait for ever.
type turn struct {
	since simulator.Seconds // when it began to wait, if that is not when it came
	until simulator.Seconds // when its turn is over; 0 if it has none
	other bool              // it had GPUs, or was to get some, or could not start before others were finished
}

// before is how a job stands that is about to be planned. It begins to wait once those before it are finished, and when
// its nodes have failed.
func (u turn) before(t *simulator.Training, now simulator.Seconds) turn {
	if u.other && t.Size == 0 {
		return turn{since: now}
	}
	return u
}

// after is how it stands once it was planned.
func (u turn) after(t *simulator.Training, s simulator.State) turn {
	switch {
	case t.Want == 0 && t.Size > 0:
		return turn{since: s.Now}
	case t.Want > 0 && t.Size == 0 && s.Now >= max(t.Submit, u.since)+t.MaxWait:
		u.until = s.Now + s.ResizeCost + t.MaxWait
	}
	u.other = t.Want > 0 || len(t.Awaits) > 0
	return u
}
