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

	told     []Size  // all sizes that it is said to have
	fit      []Size  // those that fit on the nodes; Sizes are the useful ones of them
	likely   []Size  // those of them that are likely to be faster than smaller ones, sure or not
	hopes    int     // how much it counts on that is not sure
	measured bool    // something is known of its speed
	thrifty  []Size  // its sizes, those first that need the least GPU time for a piece of work
	least    float64 // the GPU time that its work takes at the thriftiest size

	spans     []Span       // its reservation, or plan
	laid      []Span       // the same before it was given anything that is left over
	planned   bool         // there is one
	promise   bool         // it is a promise
	insists   bool         // it is one that takes GPUs of jobs of which nothing is known
	lent      bool         // its plan takes what other queues are guaranteed
	doomed    bool         // there cannot be one, even with the whole pool
	elsewhere bool         // but there can be in another pool, and it waits
	until     Seconds      // when it ends, if its size is fixed; or until when it is reserved for it
	unread    bool         // it has a promise, nothing is known of it, and what it has is reserved for it
	trial     Span         // what is reserved to measure it, if nothing is known of it, and
	gave      []concession // what others gave for that
	rank      int          // its claim on what is left over, and
	slack     Seconds      // how much time it has to spare
	stake     float64      // the GPU time that it would lose by a change of size
	clings    bool         // it keeps its size, as it would lose too much by another
	now       Workers
	why       Reason
	held      Reason   // why it does not grow
	does      Workers  // the least that would do for its deadline, once that was asked
	added     []string // the nodes of its new workers, if that is known
}

// rounding is what sums of spans may be off: new reservations end by so much earlier.
const rounding = Seconds(1e-3)

// newTrainee looks at a job that runs on nodes with room for at most so many of its workers.
func newTrainee(job Job, most Workers) *trainee {
	j := &trainee{Job: job, gpus: max(job.GPUsPerWorker, 1), told: job.Sizes, fit: job.Sizes}
	for len(j.fit) > 0 && j.fit[len(j.fit)-1].Workers > most {
		j.fit = j.fit[:len(j.fit)-1]
	}
	j.lasting()
	j.Sizes = j.useful(func(s Size) Speed { return s.Speed })
	fastest := Speed(0)
	j.likely = make([]Size, 0, len(j.fit))
	for _, s := range j.fit {
		if s.Expected = max(s.Speed, s.Expected); s.Speed > 0 && s.hoped() > fastest {
			fastest = s.hoped()
			j.likely = append(j.likely, s)
		}
	}
	for len(j.Sizes) == 0 && j.hope() {
	}
	if len(j.Sizes) == 0 {
		j.Sizes = j.fit[:min(1, len(j.fit))]
	}
	j.measure()
	return j
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

// hope makes a job count on more than is sure. It may then be planned for, but not be promised
// anything. It returns false if there is no more to hope for.
func (j *trainee) hope() bool {
	hopes := []func(Size) Speed{
		func(s Size) Speed { return max(s.Speed, s.Expected) },
		func(s Size) Speed { return max(s.Speed, s.Expected, s.Best) },
	}
	if j.hopes == len(hopes) {
		return false
	}
	j.Sizes = j.useful(hopes[j.hopes])
	j.hopes++
	j.measure()
	return true
}

// stay leaves the larger sizes of a running job alone that is only guessed to be faster there, as long as it is in
// time with the size that it has, in the middle of what may be.
func (j *trainee) stay(now Seconds) {
	at := slices.IndexFunc(j.fit, func(s Size) bool { return s.Workers == j.Workers })
	if !j.Doubted || at < 0 {
		return
	}
	is := j.fit[at]
	if in := max(now, j.BusyUntil) + Seconds(float64(j.Left)/float64(max(is.Speed, is.Expected))); !(in <= *j.Deadline) {
		return
	}
	smaller := func(s Size) bool { return s.Workers <= j.Workers }
	j.fit = j.fit[:at+1]
	j.likely = j.likely[:len(j.likely)-len(slices.DeleteFunc(slices.Clone(j.likely), smaller))]
	j.hopes = 0
	j.Sizes = j.useful(func(s Size) Speed { return s.Speed })
	for len(j.Sizes) == 0 && j.hope() {
	}
	j.measure()
}

// finishes has a job that runs, and has told that all is done, train on for a moment as it is: it may still evaluate, or
// save what it has trained. However it was to go on before, a change has nothing to gain now, and all to lose.
func (j *trainee) finishes() {
	if j.runs() && j.known() && j.Left <= 0 {
		j.Left, j.Reserved = Work(float64(j.pace(j.Workers).Speed)*float64(glance)), nil
	}
}

// hopeful says that it cannot be met but with what is not sure.
func (j *trainee) hopeful() bool { return j.hopes > 0 }

// measure works out what follows from the sizes.
func (j *trainee) measure() {
	if j.measured = len(j.Sizes) > 0 && j.Sizes[0].Speed > 0; j.measured {
		j.thrifty = slices.Clone(j.Sizes)
		slices.SortStableFunc(j.thrifty, func(a, b Size) int {
			return cmp.Compare(float64(a.Workers)/float64(a.Speed), float64(b.Workers)/float64(b.Speed))
		})
		j.least = float64(j.Left) * float64(j.need(j.thrifty[0].Workers)) / float64(j.thrifty[0].Speed)
	}
}

// asItIs is the size of a job that runs and of which nothing is known: a change could cost it all that it has
// done, and nobody could say what it would gain. It is 0 for any other.
func (j *trainee) asItIs() Workers {
	if j.measured || !slices.ContainsFunc(j.fit, func(s Size) bool { return s.Workers == j.Workers }) {
		return 0
	}
	return j.Workers
}

// runs says that the job has workers.
func (j *trainee) runs() bool { return j.Workers > 0 }

// known says whether anything is known of the job's speed and of its work.
func (j *trainee) known() bool { return j.measured && !j.UnknownWork }

func (j *trainee) due() Seconds {
	if j.Promised {
		return *j.Deadline
	}
	return *j.Deadline - rounding
}

func (j *trainee) need(w Workers) GPUs { return GPUs(w) * j.gpus }

// size is the one with so many workers; a size that the job no longer may have has no speed.
func (j *trainee) size(w Workers) Size {
	for _, sizes := range [][]Size{j.Sizes, j.ample(), j.fit} {
		for i := range sizes {
			if sizes[i].Workers == w {
				return sizes[i]
			}
		}
	}
	return Size{Workers: w}
}

// ample are the sizes to grow to into what is left over. Reservations count on sizes that are sure to
// be faster than smaller ones; but a size that is only likely to be would never become sure if it were
// never tried, and the GPUs would idle.
func (j *trainee) ample() []Size {
	if j.hopeful() || len(j.likely) == 0 {
		return j.Sizes
	}
	return j.likely
}

// sure says whether a size is one that reservations count on.
func (j *trainee) sure(w Workers) bool {
	return slices.ContainsFunc(j.Sizes, func(s Size) bool { return s.Workers == w })
}

// largest is the greatest size that needs at most so many GPUs; none has no workers.
func (j *trainee) largest(gpus GPUs) Size { return j.largestOf(j.Sizes, gpus) }

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
	if sizes := j.useful(func(s Size) Speed { return s.Speed }); len(sizes) > 0 {
		return sizes
	}
	return j.Sizes
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

// train is how long work takes at a size.
func (s Size) train(w Work) Seconds { return Seconds(float64(w) / float64(s.Speed)) }
