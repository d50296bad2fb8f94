package elastic

import (
	"slices"
)

// rule is below 0 if the first of two goes before the other, above 0 if after it, and 0 if it cannot tell.
type rule[T any] func(a, b T) int

// order goes by the first of its rules that tells two apart.
type order[T any] []rule[T]

func (o order[T]) compare(a, b T) int {
	for _, tells := range o {
		if c := tells(a, b); c != 0 {
			return c
		}
	}
	return 0
}

// sort puts all into the order. Those that it cannot tell apart stay in the order that they are in.
func (o order[T]) sort(all []T) { slices.SortStableFunc(all, o.compare) }

// postponeLowerPriority puts jobs behind those of their queue that have a higher priority, within one class of jobs.
// Each goes back just as far, and none goes forward: a job is never put before one of another queue for its priority,
// and a queue that gives its jobs priorities gains nothing over the others.
func postponeLowerPriority(jobs []*trainee, class func(*trainee) int) {
	if !slices.ContainsFunc(jobs, func(j *trainee) bool { return j.Priority != jobs[0].Priority }) {
		return
	}
	type peers struct{ queue, class int }
	are, all, among := make([]position, len(jobs)), make([]*position, len(jobs)), map[peers][]*position{}
	for i, j := range jobs {
		are[i], all[i] = position{j, i, i}, &are[i]
		of := peers{j.queue, class(j)}
		among[of] = append(among[of], all[i])
	}
	for _, some := range among {
		byPriority.sort(some)
		last, higher := 0, 0 // the last place of those looked at so far, and of those among them with a higher priority
		for i, p := range some {
			if i > 0 && p.job.Priority < some[i-1].job.Priority {
				higher = last
			}
			p.behind, last = max(p.at, higher), max(last, p.at)
		}
	}
	byPosition.sort(all)
	for i, p := range all {
		jobs[i] = p.job
	}
}

// position is the one of a job in an order: where it was, and behind which one it goes.
type position struct {
	job        *trainee
	at, behind int
}
