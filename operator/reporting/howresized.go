package reporting

import (
	"fmt"
	"slices"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/shorthand"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/wording"
)

// HowResized says of a job that could be resized to all its sizes while it trains what keeps it from that; empty if
// nothing does. One that is never restarted, or whose size stays, is not resized by a restart either.
func HowResized(s *view.Subject) string {
	switch {
	case s.Held() || s.Job.AtItsEnd != "":
		return ""
	case !s.Interruptible() && s.Size() > 0 && s.Known != nil && s.Known.Lent():
		return "It may still be stopped for others who are promised or guaranteed its GPUs: that it is not to be " +
			"interrupted was said only as it ran."
	case !s.Interruptible():
		return leftToItsMaker(s)
	}
	if s.Size() > 0 && s.Mode() != s.Job.Mode {
		return fmt.Sprintf("Its first change of size restarts it, from its last checkpoint; later ones do not. Its "+
			"workers were started to be %d to %d.", s.Job.Floor, s.Job.Ceiling)
	}
	if most := s.OutOfItsReach(); most > 0 {
		return outOfReach(s, elastic.Workers(most))
	}
	return onlyCold(s)
}

// leftToItsMaker says why a job is never resized that nobody has said that of; empty if somebody has.
func leftToItsMaker(s *view.Subject) string {
	if !s.LeftToItsMaker() {
		return ""
	}
	return fmt.Sprintf("It was made by %s, to which it may have failed when it is stopped or has other workers: so its "+
		"size stays. %s: \"true\" on the job has it resized.", s.Job.MadeBy, shorthand.InterruptibleAnnotation)
}

// outOfReach says why a job cannot have as many workers as it may while it runs.
func outOfReach(s *view.Subject, most elastic.Workers) string {
	if s.Job.Bounded {
		return fmt.Sprintf("It may have up to %s, but its command says that it trains with %d to %d: let --nnodes in it "+
			"end at %d, or lower workers.max to %d.", elastic.Count(most), s.Job.Floor, s.Job.Ceiling, most, s.Job.Ceiling)
	}
	return fmt.Sprintf("It may have up to %s once it is started anew: those that run were started to be %d to %d.",
		elastic.Count(most), s.Job.Floor, s.Job.Ceiling)
}

// onlyCold says why a job is resized by a restart, and whether that is so for good.
func onlyCold(s *view.Subject) string {
	if least, most := s.Sizes(); s.Size() == 0 || least == most {
		return ""
	}
	for i, o := range slices.Backward(s.Job.OnlyCold) {
		switch {
		case !o.Mendable:
			return wording.Sentences("Its size changes with a restart only, from its last checkpoint.", o.Message)
		case i == 0:
			return wording.Sentences("Its first change of size restarts it, from its last checkpoint; later "+
				"ones do not.", o.Message)
		}
	}
	return ""
}
