package elastic

import (
	"cmp"
	"slices"
)

// patience bounds what a plan spends on making all reservations anew for the sake of one job more:
// it is the number of reservations that it may make for that.
const patience = 4096

// admit plans jobs one by one, those first that need the least GPU time: as they were planned before,
// or in the room that is left, or else by making all reservations anew. So a greater job gives way to
// smaller ones, and as many as possible are in time.
func (p *pool) admit(newcomers []*trainee) {
	slices.SortFunc(newcomers, func(a, b *trainee) int {
		return cmp.Or(cmp.Compare(a.least, b.least), byDeadline(a, b))
	})
	patience := max(patience, 2*len(p.jobs))
	for _, j := range newcomers {
		if p.resume(j) || p.timeline.reserve(j) {
			p.insert(j)
			continue
		}
		if patience -= len(p.planned) + 1; patience > 0 {
			p.orElse(func() bool {
				p.insert(j)
				return p.relay()
			})
		}
	}
	p.promise(newcomers)
}

func (p *pool) insert(j *trainee) {
	i, _ := slices.BinarySearchFunc(p.planned, j, byDeadline)
	p.planned = slices.Insert(p.planned, i, j)
}

// promise makes promises of plans. A promise cannot be taken back for the sake of a job that needs
// less, so it is made where it will not turn such jobs away: as long as all plans together take but a
// small part of the GPU time before the deadline; and to those jobs that need the least of all, until
// promises take their share of that time.
func (p *pool) promise(newcomers []*trainee) {
	promised := newLoad(p)
	for _, j := range p.planned {
		if j.Promised {
			j.promise = true
			promised.add(j)
		}
	}
	const fifth = 0.2
	all, least := newLoad(p), []float64{}
	for _, j := range p.jobs {
		if j.planned {
			all.add(j)
		}
		if j.atRisk() || j.planned {
			least = append(least, j.least)
		}
	}
	slices.Sort(least)
	for _, j := range newcomers {
		if !j.planned {
			continue
		}
		room := float64(p.total) * float64(*j.Deadline-p.now)
		calm := all.until(*j.Deadline) <= fifth*room
		small := j.least <= least[int(fifth*float64(len(least)-1))]
		taken := promised.until(*j.Deadline) + j.reserved()
		if j.hopeful {
			continue
		}
		if j.promise = j.OnlyPromised || calm || small && taken <= p.settings.PromiseShare*room; j.promise {
			promised.add(j)
		}
	}
}

// load adds up reservations of all queues.
type load struct{ *timeline }

func newLoad(p *pool) load {
	return load{newTimeline(p.total, []share{{limit: p.total, borrows: true}}, p.moments)}
}

func (l load) add(j *trainee) {
	for _, s := range j.spans {
		l.take(0, s.From, s.To, j.need(s.Workers))
	}
}

// until is the GPU time that is reserved before some moment.
func (l load) until(moment Seconds) float64 {
	sum := 0.0
	for i, at := range l.at {
		if at >= moment {
			break
		}
		if used := l.used[0][i]; used > 0 {
			sum += float64(used) * float64(min(l.end(i), moment)-at)
		}
	}
	return sum
}

// reserved is the GPU time of a job's reservation.
func (j *trainee) reserved() float64 {
	sum := 0.0
	for _, s := range j.spans {
		sum += float64(j.need(s.Workers)) * float64(s.To-s.From)
	}
	return sum
}
