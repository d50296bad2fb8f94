package elastic

import (
	"cmp"
	"slices"
)

// sizes are those of a job, by what a plan may do with them: each list goes from the fewest workers to the most.
type sizes struct {
	fit       []Size  // those that fit on the nodes
	likely    []Size  // those of them that are likely to be faster than smaller ones, sure or not
	counted   []Size  // those of them that plans count on: faster than smaller ones for sure, or as far as is hoped
	hopeLevel int     // how much they count on that is not sure
	measured  bool    // something is known of the job's speed
	thrifty   []Size  // the counted ones, those first that need the least GPU time for a piece of work
	leastTime float64 // the GPU time that the job's work takes at the thriftiest size
}

// pace is how fast a job trains at a size and then ends, by one end of the estimate; 0 where nobody can tell.
type pace struct {
	of      func(Size) Speed
	closing func(Closing) Seconds
}

var (
	slowest = pace{func(s Size) Speed { return s.Speed }, func(c Closing) Seconds { return c.Longest }}
	middle  = pace{
		func(s Size) Speed { return max(s.Speed, s.Expected) },
		func(c Closing) Seconds { return c.Usual },
	}
	quickest = pace{
		func(s Size) Speed { return max(s.Speed, s.Expected, s.Best) },
		func(c Closing) Seconds { return c.Shortest },
	}
)

// lasts is how long a job takes with some work at a size that it may have, until it has ended; forever if it does not
// advance.
func (p pace) lasts(j *trainee, w Workers, left Work) Seconds {
	s, _ := find(j.Sizes, w)
	if s.Speed = p.of(s); s.Speed == 0 {
		return forever
	}
	return s.train(left) + p.closing(j.Closing)
}

// does is what a job does in some time at a size that it may have.
func (p pace) does(j *trainee, w Workers, in Seconds) Work {
	s, _ := find(j.Sizes, w)
	return Work(max(0, float64(in)) * float64(p.of(s)))
}

// find is the size with so many workers, if there is one.
func find(sizes []Size, w Workers) (size Size, ok bool) {
	for i := range sizes {
		if sizes[i].Workers == w {
			return sizes[i], true
		}
	}
	return Size{}, false
}

// offers says whether there is a size with so many workers.
func offers(sizes []Size, w Workers) bool {
	_, ok := find(sizes, w)
	return ok
}

// useful is the job's sizes if they are as fast as one takes them to be, without those that are no
// faster than a smaller one.
func (j *trainee) useful(speed func(Size) Speed) []Size {
	fastest := Speed(0)
	sizes := make([]Size, 0, len(j.fit))
	for _, s := range j.fit {
		expected := max(s.Speed, s.Expected)
		if s.Speed = speed(s); s.Speed > fastest {
			fastest, s.Expected = s.Speed, cmp.Or(expected, s.Speed)
			sizes = append(sizes, s)
		}
	}
	return sizes
}

// findLikely finds the sizes to grow to into what is left over.
func (j *trainee) findLikely() {
	fastest := Speed(0)
	j.likely = make([]Size, 0, len(j.fit))
	for _, s := range j.fit {
		if s.Expected = max(s.Speed, s.Expected); s.Speed > 0 && s.hoped() > fastest {
			fastest = s.hoped()
			j.likely = append(j.likely, s)
		}
	}
}

// countOnSure makes a job count on what is sure; on as little hope as will do, where nothing is; and on its smallest
// size, where nothing is known of it.
func (j *trainee) countOnSure() {
	j.hopeLevel = 0
	j.counted = j.useful(slowest.of)
	for len(j.counted) == 0 && j.hope() {
	}
	if len(j.counted) == 0 {
		j.counted = j.fit[:min(1, len(j.fit))]
	}
	j.derive()
}

// hope makes a job count on more than is sure. It may then be planned for, but not be promised
// anything. It returns false if there is no more to hope for.
func (j *trainee) hope() bool {
	hopes := []pace{middle, quickest}
	if j.hopeLevel == len(hopes) {
		return false
	}
	j.hopeFor(hopes[j.hopeLevel])
	return true
}

// hopeFor makes a job count on more than was counted on so far.
func (j *trainee) hopeFor(is pace) {
	j.counted = j.useful(j.hopedAt(is))
	j.hopeLevel++
	j.derive()
}

// hopedAt is a pace that is hoped for. A smaller size than the job has is not hoped to do with less GPU time: a hope is
// no reason to give GPUs back, least of all that of a job whose deadline is in danger.
func (j *trainee) hopedAt(is pace) func(Size) Speed {
	const less = 1 - 1e-6
	has, _ := find(j.fit, j.Workers)
	if is.of(has) == 0 { // it has none, or nobody can tell
		return is.of
	}
	each := is.of(has) / Speed(has.Workers)
	return func(s Size) Speed {
		if s.Workers >= has.Workers {
			return is.of(s)
		}
		return min(is.of(s), less*each*Speed(s.Workers))
	}
}

// hopeful says that its deadline cannot be met but with what is not sure.
func (j *trainee) hopeful() bool { return j.hopeLevel > 0 }

// derive works out what follows from the sizes that are counted on.
func (j *trainee) derive() {
	if j.measured = len(j.counted) > 0 && j.counted[0].Speed > 0; j.measured {
		j.thrifty = slices.Clone(j.counted)
		slices.SortStableFunc(j.thrifty, func(a, b Size) int {
			return cmp.Compare(float64(a.Workers)/float64(a.Speed), float64(b.Workers)/float64(b.Speed))
		})
		j.leastTime = float64(j.todo) * float64(j.need(j.thrifty[0].Workers)) / float64(j.thrifty[0].Speed)
	}
}

// stayIfInTime leaves the larger sizes of a running job alone that is only guessed to be faster there, as long as it is
// in time with the size that it has, in the middle of what may be.
func (j *trainee) stayIfInTime(now Seconds) {
	at := slices.IndexFunc(j.fit, withWorkers(j.Workers))
	if !j.Doubted || at < 0 {
		return
	}
	if in := max(now, j.BusyUntil) + middle.lasts(j, j.Workers, j.todo); !(in <= *j.aim) {
		return
	}
	larger := func(s Size) bool { return s.Workers > j.Workers }
	j.fit = j.fit[:at+1]
	j.likely = slices.DeleteFunc(j.likely, larger)
	j.countOnSure()
}

// size is the one with so many workers; a size that the job no longer may have has no speed.
func (j *trainee) size(w Workers) Size {
	for _, sizes := range [][]Size{j.counted, j.ample(), j.fit} {
		if s, ok := find(sizes, w); ok {
			return s
		}
	}
	return Size{Workers: w}
}

// ample are the sizes to grow to into what is left over. Reservations count on sizes that are sure to
// be faster than smaller ones; but a size that is only likely to be would never become sure if it were
// never tried, and the GPUs would idle.
func (j *trainee) ample() []Size {
	if j.hopeful() || len(j.likely) == 0 {
		return j.counted
	}
	return j.likely
}

// sure says whether a size is one that reservations count on.
func (j *trainee) sure(w Workers) bool { return offers(j.counted, w) }

// has says whether the job may have a size.
func (j *trainee) has(w Workers) bool { return j.sure(w) || offers(j.ample(), w) }

// largest is the greatest size that needs at most so many GPUs; none has no workers.
func (j *trainee) largest(gpus GPUs) Size { return j.largestOf(j.counted, gpus) }

func (j *trainee) largestOf(sizes []Size, gpus GPUs) Size {
	for i := range slices.Backward(sizes) {
		if j.need(sizes[i].Workers) <= gpus {
			return sizes[i]
		}
	}
	return Size{}
}

// sureSizes are the sizes as a promise counts on them, whatever was hoped for since; those that there are, where
// nothing could be promised.
func (j *trainee) sureSizes() []Size {
	if sizes := j.useful(slowest.of); len(sizes) > 0 {
		return sizes
	}
	return j.counted
}

// next is the smallest size with more workers that is likely to be faster.
func (j *trainee) next(w Workers) (Size, bool) {
	is := j.size(w)
	for _, s := range j.ample() {
		if s.Workers > w && (s.hoped() > is.hoped() || !j.measured) {
			return s, true
		}
	}
	return Size{}, false
}

// withWorkers tells a size by its workers.
func withWorkers(w Workers) func(Size) bool { return func(s Size) bool { return s.Workers == w } }

// train is how long work takes at a size.
func (s Size) train(w Work) Seconds { return Seconds(float64(w) / float64(s.Speed)) }

// lasts is how long it takes at a size until what is left is done, and the job has ended: surely, unless it counts on
// more than is sure.
func (j *trainee) lasts(s Size, left Work) Seconds {
	return s.train(left) + []pace{slowest, middle, quickest}[j.hopeLevel].closing(j.Closing)
}
