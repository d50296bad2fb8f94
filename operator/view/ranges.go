package view

import (
	"cmp"
	"slices"

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
	return s.among(max(least, s.Job.Floor), min(most, cmp.Or(s.Job.Ceiling, most)))
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
	if s.Job.Bounded || s.Job.Ceiling == 0 || least > most {
		return false
	}
	least, most = s.among(max(least, s.Job.Floor), min(most, s.Job.Ceiling))
	return least > most
}

// OutOfItsReach is how many workers a job may have at most that cannot have as many while it runs; 0 if it can.
func (s *Subject) OutOfItsReach() resize.Workers {
	least, most := s.asked()
	keeps := s.Held() || s.Scaled() || s.Size() == 0
	if keeps || s.Job.Ceiling == 0 || most <= s.Job.Ceiling || s.outOfReach(least, most) {
		return 0
	}
	return most
}

// asked is the range that a job is to have, whatever its running workers can. Its ends are sizes that it may have.
func (s *Subject) asked() (least, most resize.Workers) {
	least, most = s.Job.Least, s.Job.Most
	if was := s.ElasticJob.Status.Workers; s.Job.Asked.Epoch > 0 && least == most && was.Min > 0 {
		// A job without a range of its own has had one size. It is the one that it was first seen with,
		// not the one that it was resized to.
		least, most = resize.Workers(was.Min), resize.Workers(was.Max)
	}
	asked := s.ElasticJob.Spec.Workers
	if sizes := asked.Sizes; len(sizes) > 0 {
		asked.Min, asked.Max = cmp.Or(asked.Min, new(slices.Min(sizes))), cmp.Or(asked.Max, new(slices.Max(sizes)))
	}
	if asked.Min != nil {
		least = max(resize.Workers(*asked.Min), s.Job.Fewest())
	}
	if asked.Max != nil {
		most = resize.Workers(*asked.Max)
		if asked.Min == nil {
			least = max(min(least, most), s.Job.Fewest()) // no less than the job can be asked for
		}
	}
	if asked.Min != nil && asked.Max == nil {
		most = max(most, least)
	}
	// One that runs with fewer goes on: its gang has started.
	if fewest := min(s.Job.Together, most); s.Size() == 0 || s.Size() >= fewest {
		least = max(least, fewest)
	}
	return s.among(least, most)
}

// Chosen says that a job may not have every size of its range.
func (s *Subject) Chosen() bool {
	asked := s.ElasticJob.Spec.Workers
	return len(asked.Sizes) > 0 || asked.MultipleOf != nil
}

// among is the smallest and the greatest size of a range that a job may have, the range itself if that is each of them;
// the first is above the second if it may have none.
func (s *Subject) among(least, most resize.Workers) (first, last resize.Workers) {
	if !s.Chosen() || least > most {
		return least, most
	}
	sizes := s.choose(least, most)
	if len(sizes) == 0 {
		return most + 1, most
	}
	return sizes[0], sizes[len(sizes)-1]
}

// choose are the sizes of a range that a job may have which may not have all: some of them, where they are many.
func (s *Subject) choose(least, most resize.Workers) []resize.Workers {
	named := s.ElasticJob.Spec.Workers.Sizes
	if len(named) == 0 {
		return s.multiples(least, most)
	}
	var sizes []resize.Workers
	for _, n := range named {
		if size := resize.Workers(n); size >= least && size <= most && size%s.step() == 0 {
			sizes = append(sizes, size)
		}
	}
	slices.Sort(sizes)
	return slices.Compact(sizes)
}

// step is what each size of a job is a multiple of.
func (s *Subject) step() resize.Workers {
	if of := s.ElasticJob.Spec.Workers.MultipleOf; of != nil {
		return resize.Workers(*of)
	}
	return 1
}

// multiples are sizes of a range, as far as a job may have them by what they are to be a multiple of.
func (s *Subject) multiples(least, most resize.Workers) []resize.Workers {
	step := s.step()
	sizes := thinned((max(least, 1)-1)/step+1, most/step, s.Size()/step)
	for i := range sizes {
		sizes[i] *= step
	}
	return sizes
}

// Candidates are the sizes of a range to plan with: those of it that the job may have, and some of them where they are
// many. What it runs with is among them, if it is within the range: it trains with that, so that nothing is lost by
// waiting until another size is worth a resize. A range in which there is none has its first, for which there is no
// room then.
func (s *Subject) Candidates(least, most, present resize.Workers) []resize.Workers {
	if s.Held() || s.Scaled() || !s.Chosen() {
		return thinned(least, most, present)
	}
	sizes := s.choose(least, most)
	if at, found := slices.BinarySearch(sizes, present); !found && present > 0 && present >= least && present <= most {
		sizes = slices.Insert(sizes, at, present)
	}
	if len(sizes) == 0 {
		return []resize.Workers{least}
	}
	return sizes
}

// thinned are the sizes of a range to plan with: all of a small one, and fewer of a great one, since a plan does not
// need to tell 100 workers from 101. The present size is among them, if it is in the range.
func thinned(least, most, present resize.Workers) []resize.Workers {
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

// beyond are sizes above one, up to another: those that the job may have, and such as it might be allowed in addition.
func (s *Subject) beyond(size, most resize.Workers) []resize.Workers {
	_, last := s.Sizes()
	if !s.Chosen() || last <= size {
		return s.multiples(size+1, most)
	}
	return slices.Concat(s.choose(size+1, min(last, most)), s.multiples(last+1, most))
}
