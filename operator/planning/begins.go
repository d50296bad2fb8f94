package planning

import (
	"context"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/begin"
	"github.com/takt-dev/takt/elastic/coretime"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/view"
)

// begins is what package begin is to know of a scene, to say what of a decision may begin now.
func (p *Planner) begins(ctx context.Context, sc *Scene, d elastic.Decision) begin.Scene {
	b := begin.Scene{
		Snapshot: sc.Snapshot, Seen: map[string]begin.Seen{}, Coming: map[string]elastic.GPUs{}, Quotas: map[string]int64{},
		Others: sc.others,
		Waits:  p.waits(),
	}
	for _, node := range sc.Snapshot.Nodes {
		if coming := sc.Supply.Coming(node.Pool); coming > 0 {
			b.Coming[node.Pool] = coming
		}
	}
	for _, budget := range sc.budgets {
		budget.Leaves(b.Quotas)
	}
	changes, grows := map[string]bool{}, map[string]elastic.Workers{}
	for _, r := range d.Resizes {
		changes[r.Job] = true
		if r.From > 0 && r.To > r.From {
			grows[r.Job] = r.To
		}
	}
	for i, s := range sc.Subjects {
		name := sc.Snapshot.Jobs[i].Name
		seen := p.see(ctx, s, changes[name])
		if job := sc.Snapshot.Jobs[i]; job.Uninterruptible && s.Active() == nil { // its pods may be more than it was given
			seen.Holds = min(seen.Holds, max(job.Using(job.Workers), s.Using(p.GPUs)))
		}
		if since := s.Known.AwaitsSince(sc.At); since.Before(sc.At) {
			seen.AwaitsSince = new(coretime.Seconds(since))
		}
		if to := grows[name]; to > 0 {
			seen.Unnamed = p.unnamed(s, sc.Snapshot.Jobs[i].Pool)
			seen.Crowded = sc.crowded(s, &sc.Snapshot.Jobs[i], to, p.GPUs)
		}
		if limit, capped := sc.caps[s]; capped {
			seen.Most = &limit.most
		}
		if changes[name] {
			seen.Takes = sc.budgets[s.ElasticJob.Namespace].Charges(charged(s))
		}
		b.Seen[name] = seen
	}
	return b
}

// waits are how long something is waited for until a change of size begins.
func (p *Planner) waits() begin.Waits {
	return begin.Waits{
		Drain: elastic.Seconds(p.Limits.DrainWithin.Seconds()), Retry: p.retry(),
		Stop: elastic.Seconds(p.Limits.StopWithin.Seconds()), Payback: p.Settings.Planning.Payback,
	}
}

// see is what is seen of a job and its pods beside what a plan is made of. Of those whose size does not change it is
// what they hold: to look at the nodes of all pods of all jobs would take long.
func (p *Planner) see(ctx context.Context, s *view.Subject, changes bool) begin.Seen {
	var seen begin.Seen
	if changes {
		seen.Past = past(s)
	}
	if changes && s.Job.Suspended {
		seen.Leavers = append(p.leavers(ctx, s), p.yetToLeave(ctx, s)...)
	}
	for _, w := range s.Pods {
		// What the node has of one that is written off is not among what is free.
		if !s.Leads(w, p.GPUs) && !view.HasEnded(w.Pod) && !p.writtenOff(ctx, w.Pod) {
			seen.Holds++
		}
	}
	if until := s.HeldBack(); !until.IsZero() {
		seen.HeldBack = coretime.Seconds(until)
	}
	if changes && s.Mode() == resize.Live {
		for _, w := range s.Pods {
			if stuck := p.stuck(ctx, w.Pod); stuck || len(seen.Stuck) > 0 {
				seen.Stuck = append(seen.Stuck, begin.Worker{Index: int(w.Index), Stuck: stuck})
			}
		}
	}
	if active := s.Active(); active != nil {
		under := underWay(s, active)
		seen.UnderWay = &begin.UnderWay{
			From: elastic.Workers(active.Spec.From), To: elastic.Workers(active.Spec.To),
			Settled: under.Settled, Stopped: under.Stopped,
		}
	}
	return seen
}

// past is how the Resizes of a job have ended, up to the one that is under way.
func past(s *view.Subject) (past []begin.Past) {
	for _, r := range s.Past {
		end := r.Ending()
		if end == nil {
			return append(past, begin.Past{End: begin.Done}) // what was before it does not count any more
		}
		past = append(past, begin.Past{
			At:  coretime.Seconds(end.LastTransitionTime.Time),
			End: begin.EndOf(resize.ConditionType(end.Type), resize.Reason(end.Reason), r.Spec.To < r.Spec.From),

			InVain: inVain(r, end),
		})
	}
	return past
}

// inVain is how long a job was stopped for a Resize that had to go back, or has failed. That its pods could not be
// made, or found no room, counts as well: they may take more than their template says, which stays so. What somebody
// has decided meanwhile tells nothing of the next.
func inVain(r *v1alpha1.Resize, end *metav1.Condition) elastic.Seconds {
	decided := []resize.Reason{resize.Withdrawn, resize.ChangedByHand, resize.Superseded, resize.JobAtItsEnd}
	if r.Spec.Mode != v1alpha1.ResizeCold || r.Spec.From == 0 || r.Spec.To == 0 ||
		end.Type == v1alpha1.ConditionSucceeded || slices.Contains(decided, resize.Reason(end.Reason)) {
		return 0
	}
	stopped := meta.FindStatusCondition(r.Status.Conditions, v1alpha1.ConditionCommitted)
	if stopped == nil {
		return 0
	}
	return elastic.Seconds(max(0, end.LastTransitionTime.Sub(stopped.LastTransitionTime.Time).Seconds()))
}

// unnamed says that the nodes of a pool do not say which GPUs they have, of a job that is bound to some: what finds
// that out is being restarted, and whoever restarted now might go on upon others.
func (p *Planner) unnamed(s *view.Subject, pool string) bool {
	return product(s, p.GPUs) != "" && view.GPUName(pool) == view.GPUName("")
}

// product is which GPUs the workers of a job are bound to; empty if to none.
func product(s *view.Subject, o capacity.Options) string {
	if s.Job.Worker == nil {
		return ""
	}
	return s.Job.Worker.Spec.NodeSelector[o.ProductLabel]
}

// inWords is what hinders a job, as people are to read it.
func (p *Planner) inWords(ctx context.Context, sc *Scene, s *view.Subject, h begin.Hindrance) memory.Hindrance {
	says := func(reason, format string, args ...any) memory.Hindrance {
		return memory.Hindrance{Reason: reason, Message: fmt.Sprintf(format, args...)}
	}
	until := func() string { return coretime.Time(h.Until).UTC().Format("15:04:05 MST") }
	switch h.Reason {
	case begin.HasFailed:
		return says(memory.ReasonLastFailed,
			"Its last resize has failed or was taken back, so the next is not begun before %s.", until())
	case begin.Leaving:
		return says(memory.ReasonLeaving, "It starts once the last of the pods that it had before is gone.")
	case begin.Stuck:
		return says(memory.ReasonStuck, "%s", p.whoIsStuck(ctx, s, h))
	case begin.HeldBack:
		return says(memory.ReasonHeldBack, "Pods of it have failed, and %s may make new ones only at %s. "+
			"It keeps its size until then.", s.Kind.Words().Controller, until())
	case begin.NotTaken:
		return says(memory.ReasonNotTaken,
			"It keeps its size until those that are to have its GPUs can take them: they are still being resized.")
	case begin.NotFree:
		return memory.NotFree(h.To)
	case begin.Crowded:
		return says(memory.ReasonCrowded, "It is to have %s, for which there is room beside it only if a job that starts "+
			"there does not come to train. It keeps its size until that is known.", elastic.Count(h.To))
	case begin.Unnamed:
		return says(memory.ReasonUnnamed, "It is to have %s, once its nodes say again by the label %s which GPUs they "+
			"have: it is bound to %s.", elastic.Count(h.To), p.GPUs.ProductLabel, product(s, p.GPUs))
	case begin.Quota:
		why := sc.caps[s].why
		if h.Quota != "" {
			why = sc.budgets[s.ElasticJob.Namespace].Says(h.Quota, charged(s), h.Left)
		}
		return says(memory.ReasonQuota, "It can have no more than %s: %s.", elastic.Count(h.Most), why)
	}
	return memory.Hindrance{}
}
