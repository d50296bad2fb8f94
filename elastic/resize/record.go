package resize

import "slices"

// First is the first of its conditions that is of one of some types.
func (r Record) First(types ...ConditionType) (Condition, bool) {
	i := slices.IndexFunc(r.Conditions, func(c Condition) bool { return slices.Contains(types, c.Type) })
	if i < 0 {
		return Condition{}, false
	}
	return r.Conditions[i], true
}

// ThroughZero says that a job is stopped in order to be resized.
func (r Record) ThroughZero() bool { return r.Mode == Cold && r.From > 0 && r.To > 0 }

// AsksFirst says that a job is asked for its size before anything is written down: pods that are yet to come disturb
// nobody.
func (r Record) AsksFirst() bool { return r.To > r.From && !r.ThroughZero() }

// MayWait says that a line of the record tells only how far the way has come, so that it may be written with the next.
// The others say that there is no way back any more, or which way is taken: these are written before they are acted
// upon.
//
// Without the agent a job that grows, or is stopped in order to be resized, has no way back once it was asked for its
// size, and the job itself says that it was.
func (r Record) MayWait(line ConditionType, agent bool) bool {
	switch line {
	case Proposed, Placed, Ready:
		return true
	case Committed:
		return !agent && (r.To > r.From || r.ThroughZero())
	default:
		return false
	}
}
