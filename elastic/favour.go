package elastic

import (
	"cmp"
	"slices"
)

// favour puts jobs behind those of their queue that have a higher priority, within one class of jobs. Each goes back
// just as far, and none goes forward: a job is never put before one of another queue for its priority, and a queue that
// gives its jobs priorities gains nothing over the others.
func favour(jobs []*trainee, class func(*trainee) int) {
	if !slices.ContainsFunc(jobs, func(j *trainee) bool { return j.Priority != jobs[0].Priority }) {
		return
	}
	type peers struct{ queue, class int }
	type place struct {
		job    *trainee
		at, to int // as it was, and behind which it goes
	}
	places, among := make([]place, len(jobs)), map[peers][]*place{}
	for i, j := range jobs {
		places[i] = place{j, i, i}
		of := peers{j.queue, class(j)}
		among[of] = append(among[of], &places[i])
	}
	for _, all := range among {
		slices.SortStableFunc(all, func(a, b *place) int { return cmp.Compare(b.job.Priority, a.job.Priority) })
		last, higher := 0, 0 // the last place of those looked at so far, and of those among them with a higher priority
		for i, p := range all {
			if i > 0 && p.job.Priority < all[i-1].job.Priority {
				higher = last
			}
			p.to, last = max(p.at, higher), max(last, p.at)
		}
	}
	slices.SortFunc(places, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.to, b.to), cmp.Compare(b.job.Priority, a.job.Priority), cmp.Compare(a.at, b.at))
	})
	for i, p := range places {
		jobs[i] = p.job
	}
}
