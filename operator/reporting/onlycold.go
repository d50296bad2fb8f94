package reporting

import (
	"fmt"
	"slices"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/wording"
)

// OnlyCold says of a job that could be resized while it trains why it is resized by a restart, or not to all sizes, and
// whether that is so for good. One that is never restarted, or whose size is held, is not resized by a restart either.
func OnlyCold(s *view.Subject) string {
	if may := s.ElasticJob.Spec.Interruptible; may != nil && !*may || s.Held() {
		return ""
	}
	least, most := s.Sizes()
	if s.Size() > 0 && s.Mode() != s.Job.Mode {
		return fmt.Sprintf("Its first change of size restarts it, from its last checkpoint; later ones do not. Its "+
			"workers were started to be %d to %d.",
			s.Job.Floor, s.Job.Ceiling)
	}
	if most := s.OutOfItsReach(); most > 0 && s.Job.Bounded {
		return fmt.Sprintf("It may have up to %s, but its command says that it trains with %d to %d: let --nnodes in it "+
			"end at %d, or lower workers.max to %d.", elastic.CountOf(most, "worker"), s.Job.Floor, s.Job.Ceiling, most,
			s.Job.Ceiling)
	} else if most > 0 {
		return fmt.Sprintf("It may have up to %s once it is started anew: those that run were started to be %d to %d.",
			elastic.CountOf(most, "worker"), s.Job.Floor, s.Job.Ceiling)
	}
	if s.Size() == 0 || least == most || len(s.Job.OnlyCold) == 0 {
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
