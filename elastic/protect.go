package elastic

import "slices"

// protected are the jobs that run with the promise that they asked for: they do not stop for a newcomer that has none.
// Whoever did not ask for its promise may have to pause, as long as it is in time all the same: so more are in time
// (docs/decisions/0006-best-effort-is-the-default.md has the figures).
func (p *pool) protected(newcomer *trainee) []*trainee {
	var jobs []*trainee
	for _, j := range p.holders {
		if newcomer != nil && j.mustBePromised && j.Promised && j.runs() && j.keepsRunning(p.now) {
			jobs = append(jobs, j)
		}
	}
	return jobs
}

// stillRun says that protected jobs do not stop now, or only for a newcomer that asks for a promise and gets it, as its
// plan begins now.
func (p *pool) stillRun(protected []*trainee, newcomer *trainee) bool {
	return newcomer != nil && newcomer.mustBePromised && newcomer.keepsRunning(p.now) ||
		!slices.ContainsFunc(protected, func(j *trainee) bool { return !j.keepsRunning(p.now) })
}

// layOutProtectedFirst makes all reservations anew, first those of jobs that are not to stop.
func (p *pool) layOutProtectedFirst(protected []*trainee, stands func(*trainee) bool) bool {
	p.clear()
	for _, j := range p.holders {
		if stands(j) && !p.resume(j) {
			return false
		}
	}
	for _, j := range protected {
		if !j.planned && (!p.reserve(j) || !j.keepsRunning(p.now)) {
			return false
		}
	}
	return !slices.ContainsFunc(p.holders, func(j *trainee) bool { return !j.planned && !p.reserve(j) })
}

// keepsRunning says that a job is planned to have workers now, no matter how many.
func (j *trainee) keepsRunning(now Seconds) bool { return j.planned && j.spans[0].From <= now }
