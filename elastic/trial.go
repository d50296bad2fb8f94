package elastic

import (
	"cmp"
	"slices"
)

// tryOut reserves their smallest size for jobs with a deadline of which nothing is known, for as long as
// it takes to measure them. Until then no plan can do them justice; so jobs that have time to spare give
// back workers for it, where their own plans stand that. Nobody is stopped for a trial.
func (p *pool) tryOut() {
	var unknown, patient []*trainee
	for _, j := range p.jobs {
		switch {
		case j.planned && max(j.Workers, p.owed(j)) > j.Sizes[0].Workers:
			patient = append(patient, j)
		case j.Deadline != nil && *j.Deadline > p.now && !j.measured() && !j.UnknownWork && len(j.Sizes) > 0:
			unknown = append(unknown, j)
		}
	}
	slices.SortFunc(unknown, byDeadline)
	slices.SortFunc(patient, func(a, b *trainee) int {
		return cmp.Or(cmp.Compare(b.spare(), a.spare()), cmp.Compare(a.Name, b.Name))
	})
	patience := patience
	const least = 1 // second: where pauses cost nothing, it takes some time all the same
	for _, j := range unknown {
		size := j.Sizes[0].Workers
		trains := max(p.now, p.busy(j, size))
		j.trial = Span{p.now, trains + max(Seconds(p.settings.Cooldown)*j.Pause, least), size}
		if !p.timeline.try(j) && !p.yield(patient, j, &patience) {
			j.trial = Span{}
		}
	}
}

// try takes what a trial needs, if there is room for it.
func (t *timeline) try(j *trainee) bool {
	s, need := j.trial, j.need(j.trial.Workers)
	if !t.has(j.queue, s.From, s.To, need) {
		return false
	}
	t.take(j.queue, s.From, s.To, need)
	return true
}

// yield makes jobs give back workers, one more after the other, until there is room for a trial beside
// what is then reserved for them. If there never is, all is as before.
func (p *pool) yield(patient []*trainee, newcomer *trainee, patience *int) bool {
	var before [][]Span
	for i, j := range patient {
		if *patience <= 0 {
			break
		}
		before = append(before, j.spans)
		p.timeline.release(j)
		if !p.timeline.try(newcomer) {
			*patience--
			continue
		}
		kept := 0
		for *patience > 0 && kept <= i && p.reduce(patient[kept], patience) {
			kept++
		}
		if kept > i {
			return true
		}
		for _, j := range patient[:kept] {
			p.timeline.release(j)
		}
		p.timeline.take(newcomer.queue, newcomer.trial.From, newcomer.trial.To, -newcomer.need(newcomer.trial.Workers))
	}
	for i, spans := range before {
		p.timeline.hold(patient[i], spans)
	}
	return false
}

// reduce reserves anew for a job that has at most as many workers at present as before, and some.
func (p *pool) reduce(j *trainee, patience *int) bool {
	most := max(j.Workers, p.owed(j))
	for _, size := range slices.Backward(j.Sizes) {
		if size.Workers <= most {
			*patience--
			if p.timeline.reserveAfter(j, size.Workers, p.busy(j, size.Workers)) {
				return true
			}
		}
	}
	return false
}
