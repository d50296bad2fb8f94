package elastic

import (
	"cmp"
	"slices"
)

// Unstarted is that a job has not begun to train, though each of its workers has a node: none of them has run yet, or
// those that run are seen to wait for the others. It holds its GPUs, and has trained nothing with them that could be
// lost.
type Unstarted struct {
	Since Seconds `json:"since"` // when the last of its workers was made
	// ForGood says that what keeps those that do not run from running does not pass by itself.
	ForGood bool `json:"forGood,omitempty"`
}

const (
	// startsWithin is how long a start may take by default.
	startsWithin = Seconds(12 * 60)
	// mostInVain is of how many jobs in a plan it is found out whether others could do with their GPUs.
	mostInVain = 4
)

// startsWithin is how long a start may take before it is taken back.
func (s Settings) startsWithin() Seconds { return cmp.Or(s.StartsWithin, startsWithin) }

// takeFromWhoCannotRun has a job stop that holds GPUs in vain, where others can do something with them: it has waited
// for as long as a start may take. One at a time does: the next plan looks at the others.
func (s Snapshot) takeFromWhoCannotRun(d Decision, eager bool) Decision {
	tried := 0
	for i, job := range s.Jobs {
		o := d.Jobs[i]
		if tried == mostInVain || job.Unstarted == nil || job.Promised || o.Promised || job.Uninterruptible ||
			o.Workers == 0 || !d.somebodyWaits(o.Pool) {
			continue
		}
		if over := job.Unstarted.Since + s.Settings.startsWithin(); s.Now < over {
			d.wakeBy(over)
			continue
		}
		if !job.Unstarted.ForGood {
			continue
		}
		tried++
		if then, gains := s.stopped(d, i, eager); gains {
			return then
		}
	}
	return d
}

// stopped is what is decided if a job is stopped that cannot run, and whether any other gains by that.
func (s Snapshot) stopped(d Decision, i int, eager bool) (then Decision, gains bool) {
	without := s
	without.Jobs = slices.Delete(slices.Clone(s.Jobs), i, i+1)
	then = without.share(eager)
	if !anyMore(then.Jobs, slices.Delete(slices.Clone(d.Jobs), i, i+1)) {
		return d, false
	}
	o := d.Jobs[i]
	o.Workers, o.Reserved, o.Starts, o.Reason, o.InVain = 0, nil, nil, NoRoom, true
	o.Why = "It is stopped, as workers of it cannot run: others need its GPUs."
	then.Jobs = slices.Insert(then.Jobs, i, o)
	then.Resizes = slices.Insert(then.Resizes, 0, Resize{Job: o.Name, From: s.Jobs[i].Workers, Reason: Stopped})
	return then, true
}

// somebodyWaits says that a job of a pool has no workers.
func (d Decision) somebodyWaits(pool string) bool {
	return slices.ContainsFunc(d.Jobs, func(o Outcome) bool { return o.Workers == 0 && o.Pool == pool })
}

// anyMore says that a job is to have more workers than it would have otherwise.
func anyMore(then, otherwise []Outcome) bool {
	for i, o := range then {
		if o.Workers > otherwise[i].Workers {
			return true
		}
	}
	return false
}

// wakeBy has the next plan be made at a moment at the latest.
func (d *Decision) wakeBy(at Seconds) {
	if d.Wake == nil || at < *d.Wake {
		d.Wake = &at
	}
}
