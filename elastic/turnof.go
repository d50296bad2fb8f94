package elastic

// Sized is a change of the size of a job that has begun, and was not given up since.
type Sized struct {
	From, To Workers
	Begun    Seconds
	Ended    *Seconds // absent while it is under way
}

// clocks is by how much two clocks may differ: who decides goes by his own, and what was decided is dated by another.
const clocks = 60

// TurnOf is since when a job waits, or has waited before it was started, and until when its turn lasts, if it was
// started because it had waited for as long as it may have to; zero if it was not. It is told since when the job could
// have been started at first, how it was resized since, and how long it may have to wait.
func TurnOf(since Seconds, past []Sized, most Seconds) (waitsSince, turnUntil Seconds) {
	for _, r := range past {
		at := r.Begun
		if r.Ended != nil {
			at = *r.Ended
		}
		switch {
		case r.To == 0:
			since, turnUntil = at, 0
		case r.From > 0:
		case r.Begun-since < most-min(most/10, clocks):
			turnUntil = 0
		default:
			turnUntil = at + most
		}
	}
	return since, turnUntil
}
