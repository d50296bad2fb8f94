package policies

import (
	"cmp"
	"slices"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/simulator"
)

// rung is a number of GPUs that a job may have, and its speed with them.
type rung struct {
	gpus  int
	speed float64
}

// took is how long some work takes on this rung.
func (r rung) took(work simulator.Iterations) simulator.Seconds {
	return simulator.Seconds(float64(work) / r.speed)
}

// ladder is the rungs of one job, each with more GPUs and faster than the one below.
type ladder []rung

// newLadder leaves out the sizes that are no faster than a smaller one: no policy wants them.
func newLadder(t *simulator.Training) ladder {
	l := make(ladder, 0, len(t.Curve))
	fastest := 0.0
	for _, size := range t.Curve {
		if speed := expected(t, size); speed > fastest {
			fastest = speed
			l = append(l, rung{int(size.Workers), speed})
		}
	}
	return l
}

// expected is the speed of a size. A job that nothing is known of is taken to be twice as fast
// as it has to be, whatever its size: so it starts with its smallest, or with what was asked for.
func expected(t *simulator.Training, size elastic.Size) float64 {
	const day = simulator.Seconds(24 * 3600)
	if size.Expected > 0 {
		return float64(size.Expected)
	}
	window := t.Deadline - t.Submit
	if t.BestEffort() || window <= 0 {
		window = day
	}
	return 2 * float64(t.Work) / float64(window)
}

// within is the highest rung with at most so many GPUs; -1 if there is none.
func (l ladder) within(gpus int) int {
	for i, r := range slices.Backward(l) {
		if r.gpus <= gpus {
			return i
		}
	}
	return -1
}

// gpus are those of a rung; none of the one below the lowest.
func (l ladder) gpus(step int) int {
	if step < 0 {
		return 0
	}
	return l[step].gpus
}

// ownSize is what the owner of a job asked for, or the size nearest to it that is known. Of two
// that are as near it is the smaller. It says no if nothing is known of the job.
func ownSize(t *simulator.Training) (rung, bool) {
	if len(t.Curve) == 0 {
		return rung{}, false
	}
	nearest := slices.MinFunc(t.Curve, func(a, b elastic.Size) int {
		return cmp.Compare(distance(a, t.GPUs), distance(b, t.GPUs))
	})
	return rung{int(nearest.Workers), expected(t, nearest)}, true
}

// known is a size of a job and its speed, if that is known.
func known(t *simulator.Training, gpus int) (rung, bool) {
	for _, size := range t.Curve {
		if int(size.Workers) == gpus {
			return rung{gpus, expected(t, size)}, true
		}
	}
	return rung{}, false
}

func distance(size elastic.Size, gpus int) int {
	return max(int(size.Workers)-gpus, gpus-int(size.Workers))
}

// pause is how long a job does not train from now on if it gets some number of GPUs.
func pause(s simulator.State, t *simulator.Training, gpus int) simulator.Seconds {
	if t.Size != gpus {
		return s.ResizeCost
	}
	return max(0, t.Ready-s.Now)
}
