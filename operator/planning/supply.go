package planning

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/kind/known"
	"github.com/takt-dev/takt/operator/view"
)

// observeSupply finds which GPUs jobs may have, and who outside Takt waits for some.
func (p *Planner) observeSupply(ctx context.Context, sc *Scene) error {
	var nodes corev1.NodeList
	if err := p.Client.List(ctx, &nodes, client.MatchingLabels(p.Settings.NodeSelector)); err != nil {
		return fmt.Errorf("listing nodes: %w", err)
	}
	var pods corev1.PodList
	if err := p.Client.List(ctx, &pods); err != nil {
		return fmt.Errorf("listing pods: %w", err)
	}
	planned, held := byJob(sc.Subjects), byJob(sc.Held)
	cluster := capacity.Cluster{
		Now:      sc.At,
		Idle:     func(pod *corev1.Pod) bool { return p.hasNoRoom(sc, pod) },
		Ours:     func(pod *corev1.Pod) bool { return isOurs(planned, held, pod) },
		Replaced: func(pod *corev1.Pod) bool { return trainsFor(held, pod) },
	}
	sc.leaving = map[string]bool{}
	for i := range nodes.Items {
		_, sc.leaving[nodes.Items[i].Name] = p.GPUs.Leaving(&nodes.Items[i])
		cluster.Nodes = append(cluster.Nodes, &nodes.Items[i])
		if until, returning := p.GPUs.Returning(&nodes.Items[i], sc.At); returning { // and not for ever
			sc.later.meet(until)
		}
		if until, unnamed := p.GPUs.Unnamed(&nodes.Items[i], sc.At); unnamed {
			sc.later.meet(until)
		}
	}
	for i := range pods.Items {
		cluster.Pods = append(cluster.Pods, &pods.Items[i])
		p.meetMomentsOf(&pods.Items[i], &sc.later)
	}
	sc.Supply = capacity.Read(cluster, p.GPUs)
	if sc.keepWhoCannotReturn() { // what they hold is not shared out
		planned, held = byJob(sc.Subjects), byJob(sc.Held)
		sc.Supply = capacity.Read(cluster, p.GPUs)
	}
	for _, s := range sc.Subjects {
		borrow(s, sc.Supply, p.GPUs)
	}
	p.noteOutsiders(sc, cluster)
	sc.largest = map[string]elastic.GPUs{}
	for _, node := range sc.Supply.Nodes {
		sc.largest[node.Pool] = max(sc.largest[node.Pool], node.GPUs)
	}
	return nil
}

// meetMomentsOf tells when a pod is to be looked at again though nothing happens to it.
func (p *Planner) meetMomentsOf(pod *corev1.Pod, later *soonest) {
	if since, lacks := p.GPUs.LacksSince(pod); lacks {
		later.meet(since.Add(p.GPUs.After))
	}
	if gone := pod.DeletionTimestamp; gone != nil { // its GPUs count as coming, and not for ever
		later.meet(gone.Add(-p.GPUs.LeaveWithin))
		later.meet(gone.Add(p.GPUs.LeaveWithin))
	}
}

func byJob(subjects []*view.Subject) map[types.UID]*view.Subject {
	by := make(map[types.UID]*view.Subject, len(subjects))
	for _, s := range subjects {
		by[s.Job.UID] = s
	}
	return by
}

// isOurs says that a pod neither takes GPUs away from the jobs that are planned for, nor asks them for some. What the
// workers of a job have whose size stays is taken away; but no job gives way to those of them that wait, nor to a pod
// of its own that does not train, such as an evaluator.
func isOurs(planned, held map[types.UID]*view.Subject, pod *corev1.Pod) bool {
	waits := pod.Spec.NodeName == ""
	return trainsFor(planned, pod) || waits && (trainsFor(held, pod) || belongsTo(planned, pod))
}

// trainsFor says whether a pod is a worker of one of these jobs, by the UIDs of the jobs. It asks the
// pod and not what was listed of the job before: a worker made in between would count as one of
// others, and its own job would yield to it. One in whose place another has come is no worker any more: what it holds
// is not its job's, whoever has made it.
func trainsFor(jobs map[types.UID]*view.Subject, pod *corev1.Pod) bool {
	if !belongsTo(jobs, pod) {
		return false
	}
	_, owner, _ := known.OwnerOf(pod)
	s := jobs[owner.UID]
	_, trains := s.Kind.Index(pod, s.Job.Fixed)
	return trains && !s.Replaced(pod)
}

// belongsTo says whether a pod is one of these jobs', which are of its own namespace.
func belongsTo(jobs map[types.UID]*view.Subject, pod *corev1.Pod) bool {
	_, owner, ours := known.OwnerOf(pod)
	return ours && jobs[owner.UID] != nil && jobs[owner.UID].ElasticJob.Namespace == pod.Namespace
}
