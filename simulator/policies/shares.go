package policies

import "github.com/takt-dev/takt/simulator"

// share is what one job has of a profile.
type share struct {
	gpus    int               // now
	changes simulator.Seconds // when it has another number of GPUs for the first time
	end     simulator.Seconds // when the work is done
}

// reserve gives each job in turn its minimum satisfactory share, if there is one that ends in time
// with so much to spare. For the others it asks what they have instead, and counts them.
func (p *profile) reserve(
	jobs []*simulator.Training,
	spare func(*simulator.Training) simulator.Seconds,
	otherwise func(*profile, *simulator.Training) share,
) (shares []share, late int) {
	for _, t := range jobs {
		has, ok := p.least(newLadder(t), t.Left, t.Deadline-spare(t))
		if !ok {
			late++
			has = otherwise(p, t)
		}
		shares = append(shares, has)
	}
	return shares, late
}

// give hands out what the shares say of now, and tells how many GPUs are left and when the first
// of the shares changes.
func give(s simulator.State, jobs []*simulator.Training, shares []share) (free int, wake simulator.Seconds) {
	release(s.Jobs)
	free, wake = s.GPUs, simulator.Never
	for i, t := range jobs {
		t.Want = shares[i].gpus
		free -= t.Want
		wake = min(wake, shares[i].changes)
	}
	return free, wake
}
