package planning

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/writing"
	"github.com/takt-dev/takt/shares"
)

// tellQueues writes into the status of each queue what it uses, and says when to do so again. Where it
// fails the next plan tries again: nothing depends on it.
func (p *Planner) tellQueues(ctx context.Context, sc *Scene, d elastic.Decision) time.Duration {
	next, told := p.rest(), map[types.UID]time.Time{}
	for _, queue := range sc.queues {
		told[queue.UID] = p.told[queue.UID]
	}
	p.told = told // without those that are gone
	use := p.useOf(sc, d)
	for _, queue := range sc.queues {
		if queue.UID == "" || len(p.Settings.Namespaces) > 0 && queue.Spec.NamespaceSelector == nil {
			continue // nobody has made it, or nobody here sees all who use it
		}
		status := use[queue.Name]
		status.Cost = sc.costs[queue.Name].status()
		if g := queue.Spec.Guaranteed; g != nil {
			status.Borrowed = max(status.Used-*g, 0)
		} else {
			status.Borrowed = status.Used
		}
		guaranteeIn(status, sc, queue)
		if equality.Semantic.DeepEqual(queue.Status, *status) {
			continue
		}
		if wait := p.told[queue.UID].Add(p.Settings.Status.Every.Duration).Sub(sc.At); wait > 0 {
			next = min(next, wait)
			continue
		}
		p.told[queue.UID] = sc.At
		after := queue.DeepCopy()
		after.Status = *status
		if err := p.Client.Status().Patch(ctx, after, writing.Onto(queue)); err != nil {
			p.tryAgain(err)
			p.log.V(1).Info("Cannot write the status of a queue; the next plan tries again", "queue", queue.Name, "err",
				err.Error())
		}
	}
	return next
}

// useOf counts the jobs of each queue, with the GPUs that they have and those that they are promised.
func (p *Planner) useOf(sc *Scene, d elastic.Decision) map[string]*v1alpha1.TrainingQueueStatus {
	use := map[string]*v1alpha1.TrainingQueueStatus{}
	for _, queue := range sc.queues {
		use[queue.Name] = &v1alpha1.TrainingQueueStatus{
			ObservedGeneration: queue.Generation, Conditions: slices.Clone(queue.Status.Conditions),
		}
	}
	for i, job := range sc.Snapshot.Jobs {
		status := use[job.Queue]
		if status == nil {
			continue
		}
		p.count(status, sc.Subjects[i])
		if o := d.Jobs[i]; o.Promised {
			status.Promised += int32(job.GPUs(reservedNow(o, sc.Snapshot.Now)))
		}
	}
	for _, s := range slices.Concat(sc.stuck, sc.Held) {
		if status := use[s.ElasticJob.Spec.Queue]; status != nil {
			p.count(status, s)
		}
	}
	return use
}

// guaranteeIn says in the status of a queue whether it is guaranteed more than there is.
func guaranteeIn(status *v1alpha1.TrainingQueueStatus, sc *Scene, queue *v1alpha1.TrainingQueue) {
	lacks := tooMuchGuaranteed(sc, queue.Name)
	if lacks == "" {
		meta.RemoveStatusCondition(&status.Conditions, v1alpha1.ConditionGuaranteed)
		return
	}
	meta.SetStatusCondition(&status.Conditions, metav1.Condition{
		Type: v1alpha1.ConditionGuaranteed, Status: metav1.ConditionFalse, Reason: "TooFewGPUs", Message: lacks,
		ObservedGeneration: queue.Generation, LastTransitionTime: metav1.NewTime(sc.At),
	})
}

// tooMuchGuaranteed says of a queue that there are fewer GPUs of some kind that it is guaranteed than all queues are
// guaranteed together; empty if there are enough.
func tooMuchGuaranteed(sc *Scene, queue string) string {
	guaranteed, own, has := map[string]elastic.GPUs{}, map[string]bool{}, map[string]elastic.GPUs{}
	total, all := elastic.GPUs(0), elastic.GPUs(0)
	for _, n := range sc.Supply.Nodes {
		has[n.Pool] += n.GPUs
		all += n.GPUs
	}
	for _, kept := range sc.keptBy {
		for pool, gpus := range kept {
			has[pool] += gpus
			all += gpus
		}
	}
	for _, q := range sc.guaranteed {
		guaranteed[q.Pool] += q.Guaranteed
		total += q.Guaranteed
		own[q.Pool] = own[q.Pool] || q.Name == queue && q.Guaranteed > 0
	}
	const mend = "where all want theirs, each has its part. Lower what is guaranteed, or add nodes."
	forGood := borrowedForGood(sc)
	for _, pool := range slices.Sorted(maps.Keys(own)) {
		switch {
		case !own[pool] || guaranteed[pool] <= has[pool]-forGood[pool]:
		case guaranteed[pool] <= has[pool]:
			return strings.TrimPrefix(fmt.Sprintf("%s: all queues together are guaranteed %s, and %d are left beside what "+
				"jobs keep, as they are not to be interrupted or their size stays, though others are guaranteed it: until they "+
				"give it back, where all want theirs, each has its part.",
				pool, elastic.CountGPUs(guaranteed[pool]), has[pool]-forGood[pool]), ": ")
		case total > all || pool == "":
			return fmt.Sprintf("All queues together are guaranteed %s, and the nodes have %d beside pods that Takt does not "+
				"look after: "+mend,
				elastic.CountGPUs(total), all)
		default:
			return fmt.Sprintf("Of %s all queues together are guaranteed %s, and the nodes have %d beside pods that Takt "+
				"does not look after: "+mend,
				pool, elastic.CountGPUs(guaranteed[pool]), has[pool])
		}
	}
	return ""
}

// borrowedForGood is what jobs keep in each pool beyond what their queues are guaranteed: until they end, or as long as
// their size stays.
func borrowedForGood(sc *Scene) map[string]elastic.GPUs {
	type share struct{ queue, pool string }
	beyond, borrowed := map[share]elastic.GPUs{}, map[string]elastic.GPUs{}
	for queue, kept := range sc.keptBy {
		for pool, gpus := range kept {
			beyond[share{queue, pool}] = gpus
		}
	}
	for _, j := range sc.Snapshot.Jobs {
		if j.Uninterruptible && j.Workers > 0 {
			beyond[share{j.Queue, j.Pool}] += j.GPUs(j.Workers)
		}
	}
	for _, q := range sc.guaranteed {
		if of := (share{q.Name, q.Pool}); beyond[of] > 0 {
			beyond[of] -= q.Guaranteed
		}
	}
	for of, gpus := range beyond {
		borrowed[of.pool] += max(gpus, 0)
	}
	return borrowed
}

// count adds a job to what its queue uses.
func (p *Planner) count(status *v1alpha1.TrainingQueueStatus, s *view.Subject) {
	held := s.Using(p.GPUs)
	if held == 0 {
		status.Waiting++
		return
	}
	status.Running++
	status.Used += int32(elastic.GPUs(held) * s.GPUsPerWorker(p.GPUs))
}

// reservedNow is how many workers a job is to have at a moment to keep its promise.
func reservedNow(o elastic.Outcome, now elastic.Seconds) elastic.Workers {
	for _, s := range o.Reserved {
		if s.From <= now && now < s.To {
			return s.Workers
		}
	}
	return 0
}

// observeQueues finds the queues that have a share of what there is.
func (p *Planner) observeQueues(ctx context.Context, sc *Scene) error {
	var queues v1alpha1.TrainingQueueList
	if err := p.Client.List(ctx, &queues); err != nil {
		return fmt.Errorf("listing TrainingQueues: %w", err)
	}
	for i := range queues.Items {
		if usable, err := p.usable(ctx, &queues.Items[i]); err != nil {
			return err
		} else if usable {
			sc.queues = append(sc.queues, &queues.Items[i])
		}
	}
	if !slices.ContainsFunc(queues.Items,
		func(q v1alpha1.TrainingQueue) bool { return q.Name == shares.Default().Name }) {
		sc.queues = append(sc.queues, shares.Default())
	}
	return nil
}

// usable says whether a queue concerns this operator: where it looks after some namespaces alone,
// queues that none of them may use have no share of its nodes.
func (p *Planner) usable(ctx context.Context, queue *v1alpha1.TrainingQueue) (bool, error) {
	for _, name := range p.Settings.Namespaces {
		var namespace corev1.Namespace
		if err := p.Client.Get(ctx, types.NamespacedName{Name: name}, &namespace); err != nil {
			if client.IgnoreNotFound(err) == nil {
				continue
			}
			return false, fmt.Errorf("looking at namespace %s: %w", name, err)
		}
		if may, err := shares.MayUse(queue, namespace.Labels); err == nil && may {
			return true, nil
		}
	}
	return len(p.Settings.Namespaces) == 0, nil
}
