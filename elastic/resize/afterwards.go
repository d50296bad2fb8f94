package resize

import "time"

// turnsOutWithin is for how long a growth that is over is looked at for what it has cost: nobody loads for longer.
const turnsOutWithin = time.Hour

// CostTurnsOut says that a resize which is over may turn out to have cost something else than was told: those who
// trained before go on until the new workers have loaded.
func (r Record) CostTurnsOut(now time.Time) bool {
	v := view{Observed{Record: r}}
	end, succeeded := v.condition(Succeeded)
	return succeeded && v.grows() && !v.starts() && !v.cold() && now.Sub(end.At) < turnsOutWithin
}

// Leftover is a worker that waits to be let in, or was told to leave, of a job of which no resize is seen to be under
// way.
type Leftover struct {
	Index     Index
	Size      Workers // of its job
	Epoch     Epoch   // of the resize that it came with
	Newest    Epoch   // of the newest resize of its job that is known
	CreatedAt time.Time
}

// knownBy is after how long the resize that has brought a worker about is known: until then one that nobody knows of
// may have only just been made.
const knownBy = 30 * time.Second

// Stays says that it is to train, so that it is let in, and told to leave no more; or else after how long to ask again,
// if that is to be asked again.
func (l Leftover) Stays(now time.Time) (stays bool, again time.Duration) {
	age := now.Sub(l.CreatedAt)
	switch {
	case Workers(l.Index) >= l.Size: // it leaves
		return false, 0
	case l.Epoch > l.Newest && age < knownBy:
		return false, knownBy - age
	}
	return true, 0
}
