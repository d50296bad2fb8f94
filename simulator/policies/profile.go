package policies

import (
	"slices"

	"github.com/takt-dev/takt/simulator"
)

// profile is how many GPUs are free from now on: free[i] from at[i] to at[i+1], and the last for
// ever. Jobs take their share of it one after the other.
type profile struct {
	at   []simulator.Seconds
	free []int
	// slot is the grid, counted from now, that the ends of shares are rounded up to; zero for none.
	slot simulator.Seconds
}

func newProfile(now simulator.Seconds, gpus int, slot simulator.Seconds) *profile {
	return &profile{at: []simulator.Seconds{now}, free: []int{gpus}, slot: slot}
}

// least takes the minimum satisfactory share of a job: for the lowest rung that will do, the GPUs
// of that rung late, and of the one below it early, so that the work is done by the deadline.
func (p *profile) least(l ladder, work simulator.Iterations, deadline simulator.Seconds) (share, bool) {
	now := p.at[0]
	if len(l) == 0 || deadline <= now {
		return share{}, false
	}
	last := p.split(p.round(deadline))
	for step := range l {
		if l[step].took(work) > deadline-now {
			continue
		}
		left := float64(work) * (1 - 1e-12)
		until := deadline
		for i := last - 1; i >= 0; i-- {
			if on := min(step, l.within(p.free[i])); on >= 0 {
				left -= float64(until-p.at[i]) * l[on].speed
			}
			if left <= 0 {
				return p.take(l, work, func(at int) int {
					if at < i {
						return step - 1
					}
					return step
				}), true
			}
			until = p.at[i]
		}
	}
	return share{}, false
}

// most takes whatever the job can use, from now until its work is done.
func (p *profile) most(l ladder, work simulator.Iterations) share {
	return p.take(l, work, func(int) int { return len(l) - 1 })
}

// take takes of each segment at most the GPUs of a rung, until the work is done.
func (p *profile) take(l ladder, work simulator.Iterations, upTo func(segment int) int) share {
	s := share{changes: simulator.Never}
	before := 0
	for i := 0; ; i++ {
		on := min(upTo(i), l.within(p.free[i]))
		gpus := l.gpus(on)
		switch {
		case i == 0:
			s.gpus = gpus
		case gpus != before && s.changes == simulator.Never:
			s.changes = p.at[i]
		}
		before = gpus
		until := simulator.Never
		if i+1 < len(p.at) {
			until = p.at[i+1]
		}
		if on < 0 {
			if until == simulator.Never {
				s.end = simulator.Never
				return s
			}
			continue
		}
		s.end = p.at[i] + l[on].took(work)
		if s.end <= until {
			p.split(min(p.round(s.end), until))
			p.free[i] -= gpus
			return s
		}
		work -= simulator.Iterations(float64(until-p.at[i]) * l[on].speed)
		p.free[i] -= gpus
	}
}

// split makes a segment begin at a moment, and tells which one.
func (p *profile) split(at simulator.Seconds) int {
	i, found := slices.BinarySearch(p.at, at)
	if !found {
		p.at = slices.Insert(p.at, i, at)
		p.free = slices.Insert(p.free, i, p.free[i-1])
	}
	return i
}

func (p *profile) round(at simulator.Seconds) simulator.Seconds {
	if p.slot == 0 {
		return at
	}
	slots := (at - p.at[0]) / p.slot
	whole := simulator.Seconds(int(slots))
	if whole < slots {
		whole++
	}
	return p.at[0] + whole*p.slot
}
