package elastic

import (
	"cmp"
	"slices"
)

// trainee is a job of a plan: what is known of it, and what the plan makes of it so far.
type trainee struct {
	Job
	queue int
	gpus  GPUs // of one worker

	hopes   [][]Size // its sizes, each as fast as expected; and each as fast as it may be at best
	hopeful bool     // it cannot be met but by one of these: Sizes are they
	thrifty []Size   // its sizes, those first that need the least GPU time for a piece of work
	least   float64  // the GPU time that its work takes at the thriftiest size

	spans   []Span  // its reservation, or plan
	planned bool    // there is one
	promise bool    // it is a promise
	doomed  bool    // there cannot be one, even with the whole pool
	rank    int     // its claim on what is left over, and
	slack   Seconds // how much time it has to spare
	now     Workers
	why     Reason
	held    Reason   // why it does not grow
	added   []string // the nodes of its new workers, if that is known
}

// rounding is what sums of spans may be off: new reservations end by so much earlier.
const rounding = Seconds(1e-3)

// newTrainee looks at a job that runs on nodes with room for at most so many of its workers.
func newTrainee(job Job, most Workers) *trainee {
	j := &trainee{Job: job, gpus: max(job.GPUsPerWorker, 1)}
	fit := slices.DeleteFunc(slices.Clone(job.Sizes), func(s Size) bool { return s.Workers > most })
	as := func(speed func(Size) Speed) []Size {
		sizes := slices.Clone(fit)
		for i, s := range fit {
			sizes[i].Speed = speed(s)
			sizes[i].Expected = cmp.Or(max(s.Speed, s.Expected), sizes[i].Speed)
		}
		return useful(sizes)
	}
	j.Sizes = as(func(s Size) Speed { return s.Speed })
	j.hopes = [][]Size{
		as(func(s Size) Speed { return max(s.Speed, s.Expected) }),
		as(func(s Size) Speed { return max(s.Speed, s.Expected, s.Best) }),
	}
	for len(j.Sizes) == 0 && j.hope() {
	}
	if len(j.Sizes) == 0 {
		j.Sizes = fit[:min(1, len(fit))]
	}
	j.measure()
	return j
}

// useful leaves out sizes that are no faster than a smaller one.
func useful(sizes []Size) []Size {
	fastest := Speed(0)
	return slices.DeleteFunc(slices.Clone(sizes), func(s Size) bool {
		if s.Speed <= fastest {
			return true
		}
		fastest = s.Speed
		return false
	})
}

// hope makes a job count on more than is sure. It may then be planned for, but not be promised
// anything. It returns false if there is no more to hope for.
func (j *trainee) hope() bool {
	if len(j.hopes) == 0 {
		return false
	}
	j.Sizes, j.hopes, j.hopeful = j.hopes[0], j.hopes[1:], true
	j.measure()
	return true
}

// measure works out what follows from the sizes.
func (j *trainee) measure() {
	if j.measured() {
		j.thrifty = slices.SortedStableFunc(slices.Values(j.Sizes), func(a, b Size) int {
			return cmp.Compare(float64(a.Workers)/float64(a.Speed), float64(b.Workers)/float64(b.Speed))
		})
		j.least = float64(j.Left) * float64(j.need(j.thrifty[0].Workers)) / float64(j.thrifty[0].Speed)
	}
}

// measured says whether anything is known of the job's speed, and known of its work as well.
func (j *trainee) measured() bool { return len(j.Sizes) > 0 && j.Sizes[0].Speed > 0 }
func (j *trainee) known() bool    { return j.measured() && !j.UnknownWork }

func (j *trainee) due() Seconds {
	if j.Promised {
		return *j.Deadline
	}
	return *j.Deadline - rounding
}

func (j *trainee) need(w Workers) GPUs { return GPUs(w) * j.gpus }

// size is the one with so many workers; a size that the job no longer may have has no speed.
func (j *trainee) size(w Workers) Size {
	for _, s := range j.Sizes {
		if s.Workers == w {
			return s
		}
	}
	return Size{Workers: w}
}

// loses is the work that is lost at worst when a job changes from some size. Of a size that it no
// longer may have nobody knows the speed: it is no faster than its workers are in a smaller one.
func (j *trainee) loses(w Workers) Work {
	speed := float64(j.size(w).Speed)
	if speed == 0 && w > 0 && len(j.Sizes) > 0 {
		s := cmp.Or(j.largest(j.need(w)), j.Sizes[0])
		speed = float64(s.Speed) * max(1, float64(w)/float64(s.Workers))
	}
	return Work(float64(j.Rework) * speed)
}

// largest is the greatest size that needs at most so many GPUs; none has no workers.
func (j *trainee) largest(gpus GPUs) Size {
	for _, s := range slices.Backward(j.Sizes) {
		if j.need(s.Workers) <= gpus {
			return s
		}
	}
	return Size{}
}

// next is the smallest size with more workers.
func (j *trainee) next(w Workers) (Size, bool) {
	for _, s := range j.Sizes {
		if s.Workers > w {
			return s, true
		}
	}
	return Size{}, false
}

// train is how long work takes at a size.
func (s Size) train(w Work) Seconds { return Seconds(float64(w) / float64(s.Speed)) }
