package elastic

import (
	"cmp"
	"slices"
)

// Awaited is a larger size that was decided for a job, and why. The job does not have it yet, as the GPUs that others
// give back for it are not free. To plan as if nothing had been decided would find some other way each time, though
// what is given back for this one is already lost to those that had it.
type Awaited struct {
	Workers Workers `json:"workers"`
	Since   Seconds `json:"since"` // when it was decided
	Reason  Reason  `json:"reason"`
	Why     string  `json:"why"`
}

// awaitsWithin is how long a job waits for GPUs that others give back by default.
const awaitsWithin = Seconds(2 * 60)

// stillAwaiting is the snapshot without what was decided for jobs so long ago that nobody gives it back any more, and
// without sizes that they may not have by now: for these it is decided anew.
func (s Snapshot) stillAwaiting() Snapshot {
	within := cmp.Or(s.Settings.DrainWithin, awaitsWithin)
	inVain := func(j Job) bool {
		return j.Awaits != nil && (s.Now-j.Awaits.Since >= within || j.Awaits.Workers > j.Sizes[len(j.Sizes)-1].Workers)
	}
	if !slices.ContainsFunc(s.Jobs, inVain) {
		return s
	}
	s.Jobs = slices.Clone(s.Jobs)
	for i := range s.Jobs {
		if inVain(s.Jobs[i]) {
			s.Jobs[i].Awaits = nil
		}
	}
	return s
}

// awaited is the snapshot as if every job had what it awaits, or is changing to, and were about to train with that. For
// free GPUs that others have come for, it is as if nobody awaited or were growing into them; and where nobody waits any
// more, as if nobody were giving way.
func (s Snapshot) awaited() Snapshot {
	if !slices.ContainsFunc(s.Jobs, func(j Job) bool { return j.Awaits != nil || j.Changes != nil }) {
		return s
	}
	s.Jobs = slices.Clone(s.Jobs)
	for i := range s.Jobs {
		switch j := &s.Jobs[i]; {
		case j.Changes != nil && j.Changes.mayBeGivenUp() && s.cameSince(*j, j.Changes.Since),
			j.givesWay() && !s.anybodyWaits(*j):
			*j = j.withoutChange()
		case j.Changes != nil:
			if j.Promised { // which counts on the worst
				*j = j.asDecided(s.Now)
			}
		case j.Awaits == nil:
		case j.Workers > 0 && j.Awaits.Reason == FreeGPUs && s.cameSince(*j, j.Awaits.Since):
			j.Reserved = j.reservedWithout(j.Awaits.Workers)
		default:
			since := j.Awaits.Since
			*j = j.afterChange(j.Awaits.Workers, since)
			j.BusyUntil = BusyUntil(since, s.Now, j.Pause)
		}
	}
	return s
}

// reservedWithout is the reservation of a job without a size that it begins with, which was reserved only because the
// job was to have that: what comes next begins at once.
func (j Job) reservedWithout(size Workers) []Span {
	if len(j.Reserved) == 0 || j.Reserved[0].Workers != size {
		return j.Reserved
	}
	rest := slices.Clone(j.Reserved[1:])
	if len(rest) > 0 && rest[0].From <= j.Reserved[0].To {
		rest[0].From = j.Reserved[0].From
	}
	return rest
}

// cameSince says that another has come, and waits, since a job was given GPUs that nobody needed: they are not free any
// more, and the job has paid nothing for them yet.
func (s Snapshot) cameSince(j Job, since Seconds) bool {
	return slices.ContainsFunc(s.Jobs, func(other Job) bool {
		return other.Workers == 0 && !other.waits() && other.Pool == j.Pool && other.Submitted >= since
	})
}

// anybodyWaits says that another may need what a job gives back: one that waits, or awaits or grows into more than it
// has, or pods that Takt does not know.
func (s Snapshot) anybodyWaits(j Job) bool {
	return slices.ContainsFunc(s.Demands, func(d Demand) bool { return d.Pool == j.Pool && d.GPUs > 0 }) ||
		slices.ContainsFunc(s.Jobs, func(other Job) bool {
			return other.Name != j.Name && other.Pool == j.Pool && (other.Awaits != nil ||
				other.Workers == 0 && !other.waits() || other.Changes != nil && other.Workers > other.Changes.From)
		})
}

// stillAwaited says of jobs that still are to have what they await why that was decided, not why it is kept.
func (d Decision) stillAwaited(jobs []Job) {
	for i, j := range jobs {
		if o := &d.Jobs[i]; j.Awaits != nil && o.Workers == j.Awaits.Workers {
			o.Reason, o.Why = j.Awaits.Reason, j.Awaits.Why
		}
	}
}

// BusyUntil is when a change of size will be over that began some time ago, and has not been seen to be: when its pause
// is. One that takes longer than that is not over at any moment now: it is taken to need as long again as it has taken,
// up to another pause.
func BusyUntil(began, now, pause Seconds) Seconds {
	took := max(0, now-began)
	return now + max(pause-took, min(took, pause))
}
