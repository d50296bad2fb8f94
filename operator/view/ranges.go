package view

import (
	"github.com/takt-dev/takt/elastic/reach"
	"github.com/takt-dev/takt/elastic/resize"
)

// Sizes is the range of sizes that a job may have.
func (s *Subject) Sizes() (least, most resize.Workers) {
	sizes := s.reach().Range()
	return sizes.Least, sizes.Most
}

// Mode is how the size of a job is changed next.
func (s *Subject) Mode() resize.Mode {
	if s.reach().OutOfReach() {
		return resize.Cold
	}
	return s.Job.Mode
}

// OutOfItsReach is how many workers a job may have at most that cannot have as many while it runs; 0 if it can.
func (s *Subject) OutOfItsReach() resize.Workers { return s.reach().Beyond() }

// Chosen says that a job may not have every size of its range.
func (s *Subject) Chosen() bool { return s.choice().Chosen() }

// Candidates are the sizes of a range to plan with, the present one among them.
func (s *Subject) Candidates(least, most, present resize.Workers) []resize.Workers {
	return s.reach().Candidates(reach.Range{Least: least, Most: most}, present)
}

// reach is what is said of the sizes of a job.
func (s *Subject) reach() reach.Job {
	asked := s.ElasticJob.Spec.Workers
	seen := s.ElasticJob.Status.Workers
	job := reach.Job{
		Size:     s.Size(),
		Own:      reach.Range{Least: s.Job.Least, Most: s.Job.Most},
		Seen:     reach.Range{Least: resize.Workers(seen.Min), Most: resize.Workers(seen.Max)},
		Resized:  s.Job.Asked.Epoch > 0,
		Fewest:   s.Job.Fewest(),
		Together: s.Job.Together,
		Asked:    reach.Asked{Least: workers(asked.Min), Most: workers(asked.Max), Choice: s.choice()},
		Started:  reach.Range{Least: s.Job.Floor, Most: s.Job.Ceiling},
		Bound:    s.Job.Bounded,
	}
	switch {
	case s.Held() || s.Scaled():
		job.Kept = s.Job.Size
	case s.LeftToItsMaker():
		job.Kept = s.Job.Written
	}
	return job
}

// choice is which sizes of its range the job may have.
func (s *Subject) choice() reach.Choice {
	asked := s.ElasticJob.Spec.Workers
	choice := reach.Choice{}
	for _, n := range asked.Sizes {
		choice.Sizes = append(choice.Sizes, resize.Workers(n))
	}
	if asked.MultipleOf != nil {
		choice.MultipleOf = resize.Workers(*asked.MultipleOf)
	}
	return choice
}

func workers(n *int32) *resize.Workers {
	if n == nil {
		return nil
	}
	return new(resize.Workers(*n))
}
