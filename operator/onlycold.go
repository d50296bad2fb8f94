package operator

import (
	"fmt"
	"slices"

	"github.com/takt-dev/takt/operator/wording"
)

// onlyCold says of a job that could be resized while it trains why it is resized by a restart, and whether that
// is so for good. One that is never restarted, or whose size is held, is not resized by a restart either.
func (s *subject) onlyCold() string {
	if may := s.ej.Spec.Interruptible; may != nil && !*may || s.held() {
		return ""
	}
	least, most := s.sizes()
	if s.size() > 0 && s.mode() != s.job.Mode {
		return fmt.Sprintf("Its first change of size restarts it, from its last checkpoint; later ones do not. Its workers were started to be %d to %d.",
			s.job.Floor, s.job.Ceiling)
	}
	if s.size() == 0 || least == most || len(s.job.OnlyCold) == 0 {
		return ""
	}
	for i, o := range slices.Backward(s.job.OnlyCold) {
		switch {
		case !o.Mendable:
			return wording.Sentences("Its size changes with a restart only, from its last checkpoint.", o.Message)
		case i == 0:
			return wording.Sentences("Its first change of size restarts it, from its last checkpoint; later ones do not.", o.Message)
		}
	}
	return ""
}
