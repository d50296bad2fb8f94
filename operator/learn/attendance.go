package learn

import (
	"cmp"
	"slices"
	"time"

	"github.com/takt-dev/takt/predictor"
)

// mostSizes is of how many sizes, the ones that it had for longest, it is told how long a run had them.
const mostSizes = 16

// attendance is how long a run had each of its sizes, and when it had done all. It is told whether the job reports
// anything or not.
type attendance struct {
	spent []spell
	last  attended
	// finishedAt is zero until it has done all.
	finishedAt time.Time
}

// spell is how long a run had a shape, in all.
type spell struct {
	shape predictor.Shape
	took  time.Duration
}

// attended is who was last seen to train, how, and when.
type attended struct {
	team  string
	shape predictor.Shape
	at    time.Time
}

// attend takes that a team trains in a shape, and since when it does. Nothing is counted twice.
func (a *attendance) attend(team string, shape predictor.Shape, began, now time.Time) {
	from := a.last.at
	if a.last.team != team || a.last.at.IsZero() || a.last.shape != shape {
		if from = now; !began.IsZero() && began.Before(now) {
			from = began
		}
		if from.Before(a.last.at) {
			from = a.last.at
		}
	}
	a.spend(shape, now.Sub(from))
	a.last = attended{team, shape, now}
}

func (a *attendance) spend(shape predictor.Shape, took time.Duration) {
	if took > 0 && took < longest && shape.Workers > 0 {
		a.spent = add(a.spent, spell{shape, took})
	}
}

// add counts one more spell. It may change those that it is given.
func add(all []spell, more spell) []spell {
	if at := slices.IndexFunc(all, func(s spell) bool { return s.shape == more.shape }); at >= 0 {
		all[at].took += more.took
		return all
	}
	return append(all, more)
}

// finish takes that all was done at a moment, by those who were last seen.
func (a *attendance) finish(at time.Time) {
	if !a.finishedAt.IsZero() || at.IsZero() {
		return
	}
	if !a.last.at.IsZero() {
		a.spend(a.last.shape, at.Sub(a.last.at))
	}
	a.finishedAt = at
}

// whole is for how long the run has trained, at whatever size.
func (a *attendance) whole() (took time.Duration) {
	for _, s := range a.spent {
		took += s.took
	}
	return took
}

// only says that the run has trained with so many workers, and never with more or fewer.
func (a *attendance) only(workers predictor.Workers) bool {
	other := func(s spell) bool { return s.shape.Workers != workers }
	return len(a.spent) > 0 && !slices.ContainsFunc(a.spent, other)
}

// until is for how long the run had each of its shapes. Who was last seen has gone on until a moment; zero if nobody
// trains any more.
func (a *attendance) until(moment time.Time) (all []predictor.Spent) {
	now := slices.Clone(a.spent)
	// What finish has been told counts that time already.
	if goesOn := moment.Sub(a.last.at); !a.last.at.IsZero() && a.finishedAt.IsZero() && goesOn > 0 && goesOn < longest {
		now = add(now, spell{a.last.shape, goesOn})
	}
	slices.SortFunc(now, func(b, c spell) int { return compareShapes(b.shape, c.shape) })
	for _, s := range now {
		all = append(all, predictor.Spent{Shape: s.shape, Time: predictor.Seconds(s.took.Seconds())})
	}
	return all
}

// most are how long the run had each of its shapes, those that it had for longest first.
func (a *attendance) most() []spell {
	most := slices.SortedFunc(slices.Values(a.spent), func(b, c spell) int {
		return cmp.Or(cmp.Compare(c.took, b.took), compareShapes(b.shape, c.shape))
	})
	return most[:min(len(most), mostSizes)]
}

// Attend takes that the workers which Team names train in a shape, and since when they do.
func (r *Run) Attend(shape predictor.Shape, began, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if before := r.attendance.last.at; !before.IsZero() {
		r.stretch.looked(before, now)
	}
	r.attendance.attend(r.team, plain(shape), began, now)
}

// Finished takes that the job has done all its work at a moment, with the workers that were last seen.
func (r *Run) Finished(at time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.attendance.finish(at)
}

// Spent is for how long the run had each of its shapes, the last one until a moment; zero if nobody trains any more.
func (r *Run) Spent(until time.Time) []predictor.Spent {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.attendance.until(until)
}
