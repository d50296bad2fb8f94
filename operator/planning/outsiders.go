package planning

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/outsiders"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/settings"
	"github.com/takt-dev/takt/operator/wording"
)

// outsider is a pod that Takt does not look after, as the core knows it. What it asks for matters as it waits.
func outsider(pod *corev1.Pod, gpus elastic.GPUs) outsiders.Pod {
	maker := pod.UID
	if owner := metav1.GetControllerOfNoCopy(pod); owner != nil {
		maker = owner.UID
	}
	return outsiders.Pod{ID: string(pod.UID), Maker: string(maker), Namespace: pod.Namespace, GPUs: gpus,
		Placed: pod.Spec.NodeName != ""}
}

// noteOutsiders remembers which pods do not use the room that they have, and tells them that it is kept no longer.
// The plan that follows hears of it as well.
func (p *Planner) noteOutsiders(sc *Scene, cluster capacity.Cluster) {
	within := p.Settings.Outsiders.UsedWithin.Duration
	roomy := map[string]*corev1.Pod{}
	seen := outsiders.Seen{Now: sc.At, All: func(yield func(outsiders.Pod) bool) {
		for _, pod := range cluster.Pods {
			if !yield(outsider(pod, 0)) {
				return
			}
		}
	}}
	for _, pod := range sc.Supply.Waiting {
		seen.Waiting = append(seen.Waiting, outsider(pod, capacity.GPUs(&pod.Spec, p.GPUs)))
	}
	comes := slices.ContainsFunc(sc.underWay, givesWay)
	for _, pod := range sc.Supply.Roomy {
		if comes && !sc.Supply.HasRoom(pod) { // what is free so far may be on several nodes
			continue
		}
		has := outsider(pod, capacity.GPUs(&pod.Spec, p.GPUs))
		seen.Roomy, roomy[has.ID] = append(seen.Roomy, has), pod
	}
	for _, idle := range p.room.Look(within, seen) {
		pod := roomy[idle.ID]
		if !sc.Supply.HasRoom(pod) {
			p.Events.Tell(pod, corev1.EventTypeNormal, "RoomSplit",
				"Takt has kept as many GPUs free as this pod asks for, for %s, but they are on several nodes, or on none that it "+
					"may run on. They go to jobs of Takt again. It starts once one node has room for all of it; a pod that asks "+
					"for less finds room sooner.", wording.Span(within))
			continue
		}
		p.Events.Tell(pod, corev1.EventTypeNormal, "RoomUnused",
			"Takt has kept GPUs free for this pod for %s, and it has not used them. It waits for something else, which its "+
				"event FailedScheduling may name, so its GPUs go to jobs of Takt again.", wording.Span(within))
	}
}

// givesWay says that a job becomes smaller.
func givesWay(r *v1alpha1.Resize) bool { return r.Spec.To < r.Spec.From }

// hasNoRoom says that no GPUs are to be kept free for a pod that waits: it did not use those that it had, or others of
// its namespace did not.
func (p *Planner) hasNoRoom(sc *Scene, pod *corev1.Pod) bool {
	of := outsider(pod, capacity.GPUs(&pod.Spec, p.GPUs))
	if p.room.Idle(of) {
		return true
	}
	until := p.room.PausedUntil(of, sc.At)
	if until.IsZero() {
		return false
	}
	sc.later.meet(until)
	p.Events.Tell(pod, corev1.EventTypeNormal, "RoomLater",
		"Takt keeps no GPUs free for this pod before %s: pods of its namespace have not used those that were kept free "+
			"for them. See which of them wait for something else, such as a volume: kubectl describe pods.",
		until.UTC().Format("15:04:05 MST"))
	return true
}

// demands are the GPUs that jobs of Takt leave to other pods.
func demands(s settings.Outsiders, supply *capacity.Supply, snapshot elastic.Snapshot) (list []elastic.Demand) {
	pools := map[string]elastic.Outside{}
	for _, n := range supply.Nodes {
		pools[n.Pool] = elastic.Outside{Pool: n.Pool, OverGuarantees: s.OverGuarantees}
	}
	for _, d := range supply.Demands {
		if pool, ours := pools[d.Pool]; ours {
			pool.Waits, pool.Pods = d.GPUs, d.Pods
			pools[d.Pool] = pool
		}
	}
	for _, name := range slices.Sorted(maps.Keys(pools)) {
		to := pools[name]
		to.Has = supply.Others(name)
		if most, bounded := ofPool(s.Most, name); bounded {
			to.Most = &most
		}
		to.Reserve, _ = ofPool(s.Reserve, name)
		if left := snapshot.Leaves(to); left.GPUs > 0 {
			list = append(list, left)
		}
	}
	return list
}

func ofPool(bounds map[string]int64, pool string) (elastic.GPUs, bool) {
	bound, set := bounds[pool]
	if !set {
		bound, set = bounds["*"]
	}
	return elastic.GPUs(bound), set
}
