package elastic

import (
	"math/bits"
	"slices"
)

// mostHearings is how often those are rehearsed that are left, once somebody was left out of them.
const mostHearings = 4

// audition is a rehearsal that leaves new promises out for which there is no room, and goes on with all others.
type audition struct {
	fresh    []*trainee // the first of them matter most
	out      map[*trainee]bool
	patience int // for those that are left out and may come back
}

// hear leaves of new promises those that all find their nodes, with few rehearsals, however many do not. It minds the
// order less than onNodes does.
func (p *pool) hear(standing, fresh []*trainee) []*trainee {
	for range mostHearings {
		if len(fresh) == 0 {
			return nil
		}
		jobs := slices.Concat(standing, fresh)
		effort := p.effort(jobs)
		p.rehearsedNew += effort
		actors, cues := p.script(jobs)
		l := newLayout(p.nodes, actors)
		if l == nil {
			return fresh
		}
		a := &audition{fresh: actors[len(standing):], out: map[*trainee]bool{}, patience: effort}
		if !l.play(cues, a) {
			return nil // those that stand have no room themselves
		}
		if len(a.out) == 0 {
			return fresh
		}
		var left []*trainee
		for i, j := range fresh {
			if !a.out[a.fresh[i]] {
				left = append(left, j)
			}
		}
		fresh = left
	}
	return nil
}

// makeRoom leaves out whoever has no room, if it is new. Else it makes room: it leaves out the last of those that are
// new, until there is enough, and lets those come back whose nodes have room for them all the same.
func (a *audition) makeRoom(l *layout, c cue) bool {
	if slices.Contains(a.fresh, c.job) {
		l.shrinkTo(c.job, 0)
		a.out[c.job] = true
		return false
	}
	var left []*trainee
	var were []trainee
	fits := func() bool { return l.add(c.job, c.to-c.job.gets) }
	made := false
	for _, j := range slices.Backward(a.fresh) {
		if a.out[j] || j.gets == 0 {
			continue
		}
		left, were = append(left, j), append(were, *j)
		l.shrinkTo(j, 0)
		a.out[j] = true
		if made = bits.OnesCount(uint(len(left))) == 1 && fits(); made { // one try for each doubling
			break
		}
	}
	if len(left) == 0 || !made && !fits() {
		return false
	}
	for i, was := range slices.Backward(were) {
		if a.patience -= int(was.gets); a.patience < 0 {
			break
		}
		if l.back(left[i], slices.Concat(was.On[:int(was.gets)-len(was.added)], was.added)) {
			*left[i] = was
			delete(a.out, left[i])
		}
	}
	return true
}
