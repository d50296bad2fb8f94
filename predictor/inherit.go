package predictor

import (
	"cmp"
	"math"
	"slices"
)

// forgotten is the weight below which a record is as good as none.
const forgotten = 1.0 / 32

// weightAt is how much a record still counts: half as much after each half-life.
func weightAt(seen, at, halfLife Seconds) float64 {
	if !(halfLife > 0) {
		return 1
	}
	return math.Exp2(-max(float64((at-seen)/halfLife), 0))
}

// Age is the profile without what is so old that it says nothing any more. A half-life of zero
// forgets nothing.
func (p Profile) Age(at, halfLife Seconds) Profile {
	old := func(seen Seconds) bool { return !(weightAt(seen, at, halfLife) >= forgotten) }
	return Profile{
		Speeds:   slices.DeleteFunc(slices.Clone(p.Speeds), func(s Speed) bool { return old(s.Seen) }),
		Restarts: slices.DeleteFunc(slices.Clone(p.Restarts), func(r RestartRecord) bool { return old(r.Seen) }),
		Runs:     slices.DeleteFunc(slices.Clone(p.Runs), func(r Whole) bool { return old(r.Seen) }),
	}
}

// Inherit lets the model begin with what a profile knows, except of the run that is named, which
// is the model's own. What the model sees itself soon outweighs what it has inherited.
func (m *Model) Inherit(p Profile, run string, at, halfLife Seconds) error {
	p.Speeds = slices.Clone(p.Speeds)
	if err := p.validate(); err != nil {
		return err
	}
	p = p.Age(at, halfLife)
	type sum struct{ log, weight float64 }
	sums := map[Shape]sum{}
	var shapes []Shape // from the oldest record to the newest, as far as shapes are bounded
	slices.SortFunc(p.Speeds, func(a, b Speed) int { return cmp.Or(newerSpeed(b, a), sameSpeed(a, b)) })
	for _, speed := range p.Speeds {
		if speed.Run == run {
			continue
		}
		weight := weightAt(speed.Seen, at, halfLife) * min(float64(speed.Count), window)
		total := sums[speed.Shape]
		if total.weight == 0 {
			shapes = append(shapes, speed.Shape)
		}
		sums[speed.Shape] = sum{total.log + weight*math.Log(float64(speed.Step)), total.weight + weight}
	}
	for _, shape := range shapes[max(len(shapes)-maxShapes, 0):] {
		at, err := m.cell(shape, false)
		if err != nil {
			return err
		}
		at.inherited = sums[shape].log / sums[shape].weight
		at.inheritedWeight = min(sums[shape].weight, inheritedCap)
	}
	m.stale = true
	return nil
}

// Inherit lets the restarts begin with what a profile knows.
func (r *Restarts) Inherit(p Profile, run string, at, halfLife Seconds) error {
	if err := p.validate(); err != nil {
		return err
	}
	p = p.Age(at, halfLife)
	slices.SortFunc(p.Restarts, func(a, b RestartRecord) int { return cmp.Or(newerRestarts(b, a), sameRun(a, b)) })
	for _, record := range p.Restarts {
		if record.Run == run {
			continue
		}
		r.inherited = append(r.inherited, record.Costs...)
	}
	r.inherited = r.inherited[max(len(r.inherited)-window, 0):]
	return nil
}
