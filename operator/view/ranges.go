package view

import (
	"cmp"

	"github.com/takt-dev/takt/elastic/resize"
)

// Sizes is the range of sizes that a job may have: the one that its size is held at, else what its ElasticJob
// says, else the job itself. A live job cannot outgrow the range that its running workers were started with; if
// it may have nothing of that, it is given another by a restart.
func (s *Subject) Sizes() (least, most resize.Workers) {
	if s.Held() || s.Scaled() {
		return s.Job.Size, s.Job.Size
	}
	least, most = s.asked()
	if s.outOfReach(least, most) {
		return least, most
	}
	return max(least, s.Job.Floor), min(most, cmp.Or(s.Job.Ceiling, most))
}

// Mode is how the size of a job is changed next.
func (s *Subject) Mode() resize.Mode {
	if least, most := s.asked(); s.outOfReach(least, most) {
		return resize.Cold
	}
	return s.Job.Mode
}

// outOfReach says that running workers can have no size of a range, and that those which are started next can.
func (s *Subject) outOfReach(least, most resize.Workers) bool {
	return !s.Job.Bounded && s.Job.Ceiling > 0 && least <= most && (least > s.Job.Ceiling || most < s.Job.Floor)
}

// asked is the range that a job is to have, whatever its running workers can.
func (s *Subject) asked() (least, most resize.Workers) {
	least, most = s.Job.Least, s.Job.Most
	if was := s.ElasticJob.Status.Workers; s.Job.Asked.Epoch > 0 && least == most && was.Min > 0 {
		// A job without a range of its own has had one size. It is the one that it was first seen with,
		// not the one that it was resized to.
		least, most = resize.Workers(was.Min), resize.Workers(was.Max)
	}
	asked := s.ElasticJob.Spec.Workers
	if asked.Min != nil {
		least = max(resize.Workers(*asked.Min), s.Job.Fixed+1)
	}
	if asked.Max != nil {
		most = resize.Workers(*asked.Max)
		if asked.Min == nil {
			least = max(min(least, most), s.Job.Fixed+1) // no less than the job can be asked for
		}
	}
	if asked.Min != nil && asked.Max == nil {
		most = max(most, least)
	}
	return least, most
}
