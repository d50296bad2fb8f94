package operator

import (
	"fmt"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/coretime"
)

// hindrance is why a job does not have the size that it is to have, or could do with, for the
// condition Resizing. The zero value is that nothing hinders it.
type hindrance struct{ reason, message string }

// Reasons of hindrances.
const (
	reasonQuota      = "QuotaReached"
	reasonNoNode     = "NoNodeFits"
	reasonNotFree    = "GPUsNotFreeYet"
	reasonLastFailed = "LastResizeFailed"
	reasonNonsense   = "CannotBeReckonedWith"
	reasonStuck      = "NodeDoesNotAnswer"
	reasonLeaving    = "PodsNotGoneYet"
	reasonNotTaken   = "NotTakenYet"
)

// quotaCap is the size beyond which a quota does not let a job grow; why is empty if none does.
type quotaCap struct {
	most elastic.Workers
	why  string
}

// hinders is what to say of a job that has been decided to have so many workers.
func (c quotaCap) hinders(workers elastic.Workers) hindrance {
	if c.why == "" || workers < c.most {
		return hindrance{}
	}
	return hindrance{reasonQuota, fmt.Sprintf("It can have no more than %s: %s.", elastic.Count(c.most), c.why)}
}

// notFree hinders a job that is to have so many workers.
func notFree(workers elastic.Workers) hindrance {
	return hindrance{reasonNotFree, fmt.Sprintf("It is to have %s as soon as the GPUs that are given back for it are free.", elastic.Count(workers))}
}

// withhold remembers what hinders a job, and has it told.
func (o *Operator) withhold(s *subject, h hindrance, at time.Time) {
	if s.known.withhold(h, at) {
		o.report(client.ObjectKeyFromObject(s.ej))
	}
}

// withhold remembers what hinders the job, and says whether that is news.
func (r *remembered) withhold(h hindrance, at time.Time) (changed bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	changed = r.withheld != h
	if r.withheld.reason != h.reason || h.reason == "" {
		r.withheldSince = at
	}
	r.withheld = h
	return changed
}

// hinderedBy is what hinders the job at present.
func (r *remembered) hinderedBy() hindrance {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.withheld
}

// awaits is what the job waits for that was decided for it, if it has so many workers: GPUs are being given back for
// that, or are to be for no longer than some time.
func (r *remembered) awaits(has elastic.Workers, now time.Time, within time.Duration) *elastic.Awaited {
	since := r.awaitsSince(now)
	r.mu.Lock()
	defer r.mu.Unlock()
	if d := r.lastDecision(); d != nil && d.Workers > has && since.Before(now) && now.Sub(since) < within {
		return &elastic.Awaited{Workers: d.Workers, Since: coretime.Seconds(since), Reason: d.Reason, Why: d.Why}
	}
	return nil
}

// awaitsSince is since when the job has been waiting for GPUs to be given back.
func (r *remembered) awaitsSince(now time.Time) time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.withheld.reason != reasonNotFree {
		return now
	}
	return r.withheldSince
}
