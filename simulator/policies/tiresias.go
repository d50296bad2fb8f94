package policies

import "github.com/takt-dev/takt/simulator"

// tiresias is its discretised two-dimensional least attained service: jobs that have had less than
// a threshold of GPU-time come before the others, and within each of the two queues those that run
// come before those that wait, in the order of their arrival. Sizes are fixed, deadlines are not
// looked at, a job that does not fit is passed. Two queues and 3250 GPU-seconds are the defaults of
// its simulator; there as here no job is ever promoted.
type tiresias struct{}

const attained = 3250 // GPU-seconds

func (tiresias) Decide(s simulator.State) simulator.Seconds {
	const queues = 2
	var order [2 * queues][]*simulator.Training
	for _, t := range s.Jobs {
		class := 0
		if t.Held >= attained {
			class += queues
		}
		if t.Size == 0 {
			class++
		}
		order[class] = append(order[class], t)
	}
	release(s.Jobs)
	free, wake := s.GPUs, simulator.Never
	for class, jobs := range order {
		for _, t := range jobs {
			if free == 0 {
				break
			}
			own, ok := ownSize(t)
			if !ok || own.gpus > free {
				continue
			}
			t.Want = own.gpus
			free -= own.gpus
			if class < queues {
				wake = min(wake, s.Now+simulator.Seconds((attained-t.Held)/float64(own.gpus)))
			}
		}
	}
	return wake
}
