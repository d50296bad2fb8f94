package begin

import "github.com/takt-dev/takt/elastic/resize"

// EndOf is what the end of a resize says of those to come: whether the next may begin at once.
func EndOf(condition resize.ConditionType, reason resize.Reason, shrinks bool) End {
	switch {
	case reason == resize.Withdrawn:
		return Withdrawn
	case condition == resize.Succeeded:
		return Done
	case reason == resize.NobodyAnswered:
		return Unanswered
	case reason == resize.Refused:
		return Refused
	case shrinks && reason == resize.NoProgress: // its training cannot go on with fewer, as far as anybody can tell
		return Refused
	case shrinks:
		return Done
	case reason == resize.SizeNotAsDecided || reason == resize.Superseded || reason == resize.JobAtItsEnd:
		return Untried
	}
	return Failed
}
