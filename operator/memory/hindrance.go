package memory

import (
	"fmt"
	"time"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/coretime"
)

// Hindrance is why a job does not have the size that it is to have, or could do with, for the
// condition Resizing. The zero value is that nothing hinders it.
type Hindrance struct{ Reason, Message string }

// Reasons of hindrances.
const (
	ReasonQuota      = "QuotaReached"
	ReasonNoNode     = "NoNodeFits"
	ReasonNotFree    = "GPUsNotFreeYet"
	ReasonLastFailed = "LastResizeFailed"
	ReasonNonsense   = "CannotBeReckonedWith"
	ReasonStuck      = "NodeDoesNotAnswer"
	ReasonLeaving    = "PodsNotGoneYet"
	ReasonNotTaken   = "NotTakenYet"
	ReasonUnplaced   = "WorkersNotPlaced"
	// ReasonPredecessor begins those of jobs that wait for others which will not succeed by themselves.
	ReasonPredecessor = "Predecessor"
)

// NotFree hinders a job that is to have so many workers.
func NotFree(workers elastic.Workers) Hindrance {
	return Hindrance{ReasonNotFree,
		fmt.Sprintf("It is to have %s as soon as the GPUs that are given back for it are free.", elastic.Count(workers))}
}

// Withhold remembers what hinders the job, and says whether that is news.
func (r *Job) Withhold(h Hindrance, at time.Time) (changed bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	changed = r.withheld != h
	if r.withheld.Reason != h.Reason || h.Reason == "" {
		r.withheldSince = at
	}
	r.withheld = h
	return changed
}

// RefusedSince is since when Takt has left the job alone.
func (r *Job) RefusedSince(now time.Time) time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.refusedSince.IsZero() {
		r.refusedSince = now
	}
	return r.refusedSince
}

// WriteRefusedSince is since when the API server has refused what a Resize of the job has to write next.
func (r *Job) WriteRefusedSince(now time.Time) time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.writeRefusedSince.IsZero() {
		r.writeRefusedSince = now
	}
	return r.writeRefusedSince
}

// WriteAccepted remembers that it takes it.
func (r *Job) WriteAccepted() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.writeRefusedSince = time.Time{}
}

// Accepted remembers that Takt looks after the job.
func (r *Job) Accepted() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.refusedSince = time.Time{}
}

// LeavesRoom remembers whether there is room for all workers of the job, none of which has a node, and says since when
// there has been; and whether it has been left unused for so long. That stays so until a worker has a node, though
// others have taken the room by then.
func (r *Job) LeavesRoom(room bool, within time.Duration, now time.Time) (since time.Time, left bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.roomLeft:
	case !room:
		r.roomSince = time.Time{}
		return now, false
	case r.roomSince.IsZero():
		r.roomSince = now
	}
	r.roomLeft = r.roomLeft || now.Sub(r.roomSince) >= within
	return r.roomSince, r.roomLeft
}

// HasLeftRoom remembers that the job has left its room to others.
func (r *Job) HasLeftRoom() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.roomLeft = true
}

// UsesRoom remembers that the job has workers on nodes, or waits for nothing but GPUs.
func (r *Job) UsesRoom() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.roomSince, r.roomLeft = time.Time{}, false
}

// HinderedBy is what hinders the job at present.
func (r *Job) HinderedBy() Hindrance {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.withheld
}

// Awaits is what the job waits for that was decided for it, if it has so many workers: GPUs are being given back for
// that, or are to be for no longer than some time.
func (r *Job) Awaits(has elastic.Workers, now time.Time, within time.Duration) *elastic.Awaited {
	since := r.AwaitsSince(now)
	r.mu.Lock()
	defer r.mu.Unlock()
	if d := r.lastDecision(); d != nil && d.Workers > has && since.Before(now) && now.Sub(since) < within {
		return &elastic.Awaited{Workers: d.Workers, Since: coretime.Seconds(since), Reason: d.Reason, Why: d.Why}
	}
	return nil
}

// AwaitsSince is since when the job has been waiting for GPUs to be given back.
func (r *Job) AwaitsSince(now time.Time) time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.withheld.Reason != ReasonNotFree {
		return now
	}
	return r.withheldSince
}
