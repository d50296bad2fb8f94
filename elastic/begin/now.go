package begin

import "github.com/takt-dev/takt/elastic"

// Beginning is what to do of a decision now.
type Beginning struct {
	// Begin are the changes to begin.
	Begin []Begun `json:"begin,omitempty"`
	// Withdraw are changes under way to give up.
	Withdraw []Withdrawal `json:"withdraw,omitempty"`
	// Hindered is what keeps a job from the size that was decided for it, in the order of the snapshot; nil for those
	// whose size is being changed.
	Hindered []*Hindrance `json:"hindered,omitempty"`
	// Wake is when more may begin, if nothing happens before; absent if there is no such moment.
	Wake *elastic.Seconds `json:"wake,omitempty"`
}

// Begun is a change to begin.
type Begun struct {
	// Resize is to the size that there is room for.
	Resize elastic.Resize `json:"resize"`
	// Settles are the sizes that a growth may settle for where fewer workers find room than were free, the smallest first.
	Settles []elastic.Workers `json:"settles,omitempty"`
}

// Hindrance is why a job does not get the size that was decided for it. The zero value is that nothing hinders it.
type Hindrance struct {
	Reason Reason          `json:"reason,omitempty"`
	To     elastic.Workers `json:"to,omitempty"` // that it was to have
	// Until is when the next change of its size may begin.
	Until elastic.Seconds `json:"until,omitempty"`
	// Worker is the first that is stuck.
	Worker int `json:"worker,omitempty"`
	// Most is the largest size that its quotas allow. If it is Quota that allows no more, Left is left of that.
	Most  elastic.Workers `json:"most,omitempty"`
	Quota string          `json:"quota,omitempty"`
	Left  int64           `json:"left,omitempty"`
}

// Reason is a kind of hindrance.
type Reason string

// What may hinder a job.
const (
	HasFailed Reason = "LastResizeFailed"
	Leaving   Reason = "PodsNotGoneYet"
	Stuck     Reason = "NodeDoesNotAnswer"
	HeldBack  Reason = "PodsHeldBack"
	NotTaken  Reason = "NotTakenYet" // nobody can take yet what it is to give back
	NotFree   Reason = "GPUsNotFreeYet"
	Crowded   Reason = "OthersStartBeside" // where there would be room for its workers
	Unnamed   Reason = "GPUsNotNamed"      // by its nodes, and it is bound to some
	Quota     Reason = "QuotaReached"
)

// Now says what of a decision, which was made of the scene, to begin now.
func Now(sc Scene, d elastic.Decision) Beginning {
	b := beginning{Scene: &sc, decision: &d, at: map[string]int{}}
	b.Hindered = make([]*Hindrance, len(sc.Jobs))
	for i := range sc.Jobs {
		b.at[sc.Jobs[i].Name] = i
		h := sc.rests(i, d.Jobs[i])
		if h == (Hindrance{}) {
			h = sc.Seen[sc.Jobs[i].Name].overQuota(d.Jobs[i].Workers)
		}
		if h == (Hindrance{}) {
			h = sc.heldBack(i, d.Jobs[i])
		}
		b.Hindered[i] = &h
	}
	b.count()
	b.keptFrom()
	early := b.premature()
	for _, r := range d.Resizes {
		i := b.at[r.Job]
		if under := sc.Seen[r.Job].UnderWay; under != nil {
			b.Hindered[i] = nil
			if under.yields(r.To) {
				b.Withdraw = append(b.Withdraw, under.withdrawn(r, d.Jobs[i].Why))
			}
			continue
		}
		h, hindered := b.hindered(i, r, early)
		if !hindered {
			r.To, h = b.take(i, r)
			if r.To != r.From {
				b.Begin = append(b.Begin, Begun{Resize: r, Settles: settlesFor(b.job(i), r)})
			}
		}
		b.Hindered[i] = &h
	}
	return b.Beginning
}

// beginning is a Beginning that is being worked out.
type beginning struct {
	*Scene
	Beginning
	decision *elastic.Decision
	at       map[string]int          // where in the snapshot each job is
	free     map[string]elastic.GPUs // by pool: what is left of what is free now
	spent    map[string]int64        // of each quota
}

// job is one as it is in the pool that was decided for it.
func (b *beginning) job(i int) elastic.Job { return b.Jobs[i].In(b.decision.Jobs[i].Pool) }

// rests says that a job is not to be started yet, since that has failed, or was taken back more than once.
func (sc *Scene) rests(i int, decided elastic.Outcome) Hindrance {
	if sc.Jobs[i].Workers > 0 || decided.Workers > 0 {
		return Hindrance{}
	}
	if until, _ := NotBefore(sc.Seen[sc.Jobs[i].Name].Past, sc.Waits.Retry); sc.Now < until {
		return Hindrance{Reason: HasFailed, Until: until}
	}
	return Hindrance{}
}

// hindered says what keeps a change of size from beginning at all.
func (b *beginning) hindered(i int, r elastic.Resize, early map[string]bool) (Hindrance, bool) {
	s := b.Seen[r.Job]
	until, refused := NotBefore(s.Past, b.Waits.Retry)
	if r.From > 0 && r.To > 0 && (r.To > r.From || refused) && r.Reason != elastic.RangeChanged {
		until = max(until, b.Waits.PaidBackAt(s.Past))
	}
	switch {
	case (r.To > r.From || refused) && b.Now < until:
		b.wakeAt(until)
		return Hindrance{Reason: HasFailed, To: r.To, Until: until}, true
	case b.Now < b.Waits.LeaveUntil(s.Leavers):
		return Hindrance{Reason: Leaving, To: r.To}, true
	case s.stuckAt(r):
		return Hindrance{Reason: Stuck, To: r.To, Worker: s.Stuck[0].Index}, true
	case s.heldBack(b.Now, r):
		b.wakeAt(s.HeldBack)
		return Hindrance{Reason: HeldBack, To: r.To, Until: s.HeldBack}, true
	case s.Crowded && r.From > 0 && r.To > r.From:
		return Hindrance{Reason: Crowded, To: r.To}, true
	case s.Unnamed && r.From > 0 && r.To > r.From:
		return Hindrance{Reason: Unnamed, To: r.To}, true
	case early[b.decision.Jobs[i].Pool] && r.To < r.From && (r.Reason == elastic.GaveBack || r.Reason == elastic.Stopped):
		return Hindrance{Reason: NotTaken, To: r.To}, true
	}
	return Hindrance{}, false
}

// wakeAt has a plan be made at a moment at the latest.
func (b *beginning) wakeAt(at elastic.Seconds) {
	if b.Wake == nil || at < *b.Wake {
		b.Wake = &at
	}
}

// heldBack says that a job that trains keeps its size, and was not planned to have another, as its controller makes no
// new pods yet.
func (sc *Scene) heldBack(i int, decided elastic.Outcome) Hindrance {
	s, job := sc.Seen[sc.Jobs[i].Name], sc.Jobs[i]
	if sc.Now < s.HeldBack && job.Workers > 0 && decided.Workers == job.Workers && s.UnderWay == nil {
		return Hindrance{Reason: HeldBack, Until: s.HeldBack}
	}
	return Hindrance{}
}

// heldBack says that a job that trains is to grow by pods which its controller does not make yet.
func (s Seen) heldBack(now elastic.Seconds, r elastic.Resize) bool {
	return now < s.HeldBack && r.From > 0 && r.To > r.From
}

// stuckAt says that a job cannot change its size like that as some of its workers are stuck. Whoever lives trains on.
// Up to the greatest index that there is, whoever is missing is made anew, only to be deleted for being too many, over
// and over; and none can train that has the index of one who is stuck. So a job can only do without the stuck ones if
// they are its last.
func (s Seen) stuckAt(r elastic.Resize) bool {
	if len(s.Stuck) == 0 || r.From == 0 || r.To == 0 {
		return false
	}
	first := s.Stuck[0].Index
	last := s.Stuck[len(s.Stuck)-1].Index-first == len(s.Stuck)-1
	for _, w := range s.Stuck {
		last = last && w.Stuck
	}
	return !last || r.To != elastic.Workers(first)
}

// premature says of each pool that nobody could take now what others give back in it: what those that can begin are to
// have is free as it is. Where workers take several GPUs, or may not be on every node, it depends on the nodes what is
// free, and nothing is premature; nor is it where others than the jobs of the snapshot want GPUs.
func (b *beginning) premature() map[string]bool {
	early := map[string]bool{}
	if len(b.Demands) > 0 {
		return early
	}
	for _, job := range b.Jobs {
		if job.GPUsPerWorker > 1 || job.Leaders > 0 || job.Site != "" || len(job.Takes) > 0 {
			return early
		}
	}
	wanted, blocked := map[string]elastic.GPUs{}, map[string]bool{}
	for _, r := range b.decision.Resizes {
		if r.To <= r.From {
			continue
		}
		i := b.at[r.Job]
		pool := b.decision.Jobs[i].Pool
		if _, hindered := b.hindered(i, r, nil); hindered || b.Seen[r.Job].UnderWay != nil {
			blocked[pool] = true
		} else {
			wanted[pool] += elastic.GPUs(r.To - r.From)
		}
	}
	for pool := range blocked {
		early[pool] = wanted[pool] <= b.free[pool]
	}
	return early
}
