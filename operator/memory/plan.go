package memory

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/wording"
)

// keptPlan is what was decided for a job, as it is kept for a fresh process: how the job is going to be in time, and
// what it waits for. A process that did not know would plan anew for all that run. Newcomers would get in the place of
// some, and what was given back for one would go to another.
type keptPlan struct {
	Pool     string          `json:"pool,omitempty"`
	Workers  elastic.Workers `json:"workers"`
	Reserved []elastic.Span  `json:"reserved,omitempty"`
	// Waits is since when it waits for GPUs that others give back, and why it is to have them.
	Waits  time.Time      `json:"waits,omitzero"`
	Reason elastic.Reason `json:"reason,omitempty"`
	Why    string         `json:"why,omitempty"`
	// Undecided says that nothing was decided, and all of this says nothing.
	Undecided bool `json:"undecided,omitempty"`

	// Held is how many workers have had nodes.
	Held int  `json:"held,omitempty"`
	Lent bool `json:"lent,omitempty"`
	// First is the size that the job was first seen with: by another, somebody has scaled it while nobody watched.
	First  resize.Workers `json:"first,omitempty"`
	Scaled *Scaled        `json:"scaled,omitempty"`
	Leaver *Leaver        `json:"leaver,omitempty"`
	// Overruled is what manifests have taken back.
	Overruled []overruled `json:"overruled,omitempty"`
	// Removed are its Resizes that are no longer on record.
	Removed Resizes `json:"removed,omitzero"`
}

const (
	// keptSpans are how many sizes in turn are kept of a plan: one of more than that is made anew.
	keptSpans = 16
	// longestWhy is how long the reason of a decision may be that is kept.
	longestWhy = 300
)

// KeepPlan gives the run what was decided for its job, and who was told to leave it by others, to be kept with what is
// known of it.
func (j *Job) KeepPlan() {
	j.mu.Lock()
	defer j.mu.Unlock()
	d := j.lastDecision()
	if d == nil && j.scaled == nil && j.leaver == nil && j.firstSize == 0 && j.held == 0 && len(j.overruled) == 0 {
		j.Run.Planned(nil)
		return
	}
	k := keptPlan{Undecided: d == nil, Held: j.held, Lent: j.lent, First: j.firstSize, Scaled: j.scaled,
		Leaver: j.leaver, Overruled: j.overruled, Removed: j.removed}
	if d != nil {
		k.Pool, k.Workers = d.Pool, d.Workers
		if len(d.Reserved) <= keptSpans {
			k.Reserved = d.Reserved
		}
		if j.withheld.Reason == ReasonNotFree {
			k.Waits, k.Reason, k.Why = j.withheldSince.UTC(), d.Reason, wording.ClipTo(d.Why, longestWhy)
		}
	}
	if text, err := json.Marshal(k); err == nil {
		j.Run.Planned(text)
	}
}

// findPlan goes on from what the process before this one has decided. What makes no sense is not gone on from.
func (j *Job) findPlan() {
	var k keptPlan
	if text := j.Run.Plan(); text == nil || json.Unmarshal(text, &k) != nil || !k.sane() {
		return
	}
	j.held, j.lent, j.overruled = k.Held, k.Lent, k.Overruled
	j.removed = k.Removed
	if j.firstSize, j.scaled, j.leaver = k.First, k.Scaled, k.Leaver; k.Undecided {
		return
	}
	j.planned = &elastic.Outcome{Pool: k.Pool, Workers: k.Workers, Reserved: k.Reserved, Reason: k.Reason, Why: k.Why}
	if !k.Waits.IsZero() {
		j.withheld, j.withheldSince = NotFree(k.Workers), k.Waits
	}
}

func (k *keptPlan) sane() bool {
	until := elastic.Seconds(0)
	return k.Workers >= 0 && k.First >= 0 && k.Held >= 0 && k.Removed.sane() && len(k.Reserved) <= keptSpans &&
		len(k.Overruled) <= mostOverruled &&
		!slices.ContainsFunc(k.Reserved, func(s elastic.Span) bool {
			wrong := s.From < until || s.To < s.From || s.Workers < 1
			until = s.To
			return wrong
		})
}

// LastPlanned is what was last decided, by this process or by the one before it; nil if nothing was.
func (j *Job) LastPlanned() *elastic.Outcome {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.lastDecision()
}

// lastDecision is LastPlanned for a method that holds the lock.
func (j *Job) lastDecision() *elastic.Outcome { return cmp.Or(j.decision, j.planned) }

// OnlyPlannedBefore says that the process before this one has decided, and this one has not yet.
func (j *Job) OnlyPlannedBefore() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.decision == nil && j.planned != nil
}
