package operator

import (
	"cmp"
	"slices"

	"github.com/takt-dev/takt/elastic/resize"
)

// sizes is the range of sizes that a job may have: the one that its size is held at, else what its ElasticJob
// says, else the job itself. A live job cannot outgrow the range that its running workers were started with; if
// it may have nothing of that, it is given another by a restart.
func (s *subject) sizes() (least, most resize.Workers) {
	if s.held() || s.scaled() {
		return s.job.Size, s.job.Size
	}
	least, most = s.asked()
	if s.outOfReach(least, most) {
		return least, most
	}
	return max(least, s.job.Floor), min(most, cmp.Or(s.job.Ceiling, most))
}

// mode is how the size of a job is changed next.
func (s *subject) mode() resize.Mode {
	if least, most := s.asked(); s.outOfReach(least, most) {
		return resize.Cold
	}
	return s.job.Mode
}

// outOfReach says that running workers can have no size of a range, and that those which are started next can.
func (s *subject) outOfReach(least, most resize.Workers) bool {
	return !s.job.Bounded && s.job.Ceiling > 0 && least <= most && (least > s.job.Ceiling || most < s.job.Floor)
}

// asked is the range that a job is to have, whatever its running workers can.
func (s *subject) asked() (least, most resize.Workers) {
	least, most = s.job.Least, s.job.Most
	if was := s.ej.Status.Workers; s.job.Asked.Epoch > 0 && least == most && was.Min > 0 {
		// A job without a range of its own has had one size. It is the one that it was first seen with,
		// not the one that it was resized to.
		least, most = resize.Workers(was.Min), resize.Workers(was.Max)
	}
	asked := s.ej.Spec.Workers
	if asked.Min != nil {
		least = max(resize.Workers(*asked.Min), s.job.Fixed+1)
	}
	if asked.Max != nil {
		most = resize.Workers(*asked.Max)
		if asked.Min == nil {
			least = max(min(least, most), s.job.Fixed+1) // no less than the job can be asked for
		}
	}
	if asked.Min != nil && asked.Max == nil {
		most = max(most, least)
	}
	return least, most
}

// candidates are the sizes to plan with: all of a small range, and fewer of a great one, since a plan
// does not need to tell 100 workers from 101. The present size is among them, if it is in the range.
func candidates(least, most, present resize.Workers) []resize.Workers {
	var sizes []resize.Workers
	for size, step := least, resize.Workers(1); size <= most; size += step {
		sizes = append(sizes, size)
		if size >= 16 {
			step = size / 8
		}
	}
	if n := len(sizes); n > 0 && sizes[n-1] != most {
		sizes = append(sizes, most)
	}
	if at, found := slices.BinarySearch(sizes, present); !found && present >= least && present <= most {
		sizes = slices.Insert(sizes, at, present)
	}
	return sizes
}
