package planning

import (
	"maps"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/settings"
	"github.com/takt-dev/takt/operator/wording"
)

// outsiders remembers of pods that Takt does not look after since when they have had room that they do not use: by
// what made them, as a pod that is made anew waits for the same. A process that is started anew gives each another try.
type outsiders struct {
	mu sync.Mutex
	of map[types.UID]*roomUse
}

// roomUse is what is known of pods with one owner that have, or had, room to wait in.
type roomUse struct {
	since  time.Time // when they got it
	idle   bool      // they have had it for long enough
	seen   time.Time // when there was last any pod of theirs
	placed int       // how many of them have nodes
}

// origin is what made a pod; the pod itself, if nothing did.
func origin(pod *corev1.Pod) types.UID {
	if owner := metav1.GetControllerOf(pod); owner != nil {
		return owner.UID
	}
	return pod.UID
}

// isIdle says that pods of its kind have had room for long enough.
func (o *outsiders) isIdle(pod *corev1.Pod) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	w := o.of[origin(pod)]
	return w != nil && w.idle
}

// note remembers which pods have room now, of all that are there, and returns those that have had it for so long
// that they wait for something else. Whose pods find nodes after all begins anew. Whose pods are gone for longer than
// that is forgotten.
func (o *outsiders) note(now time.Time, within time.Duration, roomy, all []*corev1.Pod) (idle []*corev1.Pod) {
	o.mu.Lock()
	defer o.mu.Unlock()
	has, there, placed := map[types.UID]bool{}, map[types.UID]bool{}, map[types.UID]int{}
	for _, pod := range roomy {
		has[origin(pod)] = true
	}
	for _, pod := range all {
		if there[origin(pod)] = true; pod.Spec.NodeName != "" {
			placed[origin(pod)]++
		}
	}
	before := o.of
	o.of = make(map[types.UID]*roomUse, len(has))
	for from, w := range before {
		switch {
		case placed[from] > w.placed: // it uses its room
		case there[from] && (w.idle || has[from]):
			w.seen, w.placed = now, placed[from]
			o.of[from] = w
		case !there[from] && now.Sub(w.seen) < within: // another may be about to be made
			o.of[from] = w
		}
	}
	for from := range has {
		if o.of[from] == nil {
			o.of[from] = &roomUse{since: now, seen: now, placed: placed[from]}
		}
	}
	for _, pod := range roomy {
		if w := o.of[origin(pod)]; now.Sub(w.since) >= within {
			w.idle = true
			idle = append(idle, pod)
		}
	}
	return idle
}

// next is when the first of the pods that have room will have had it for so long; zero if none has.
func (o *outsiders) next(within time.Duration) (at time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, w := range o.of {
		if end := w.since.Add(within); !w.idle && (at.IsZero() || end.Before(at)) {
			at = end
		}
	}
	return at
}

// noteOutsiders remembers which pods do not use the room that they have, and tells them that it is kept no longer.
// The plan that follows hears of it as well.
func (p *Planner) noteOutsiders(sc *Scene, cluster capacity.Cluster) {
	within := p.Settings.Outsiders.UsedWithin.Duration
	p.standings.note(sc.At, within, sighted{all: cluster.Pods, waiting: sc.Supply.Waiting, roomy: sc.Supply.Roomy,
		gpus: func(spec *corev1.PodSpec) elastic.GPUs { return capacity.GPUs(spec, p.GPUs) }})
	for _, pod := range p.outsiders.note(sc.At, within, sc.Supply.Roomy, cluster.Pods) {
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

// hasNoRoom says that no GPUs are to be kept free for a pod that waits: it did not use those that it had, or others of
// its namespace did not.
func (p *Planner) hasNoRoom(sc *Scene, pod *corev1.Pod) bool {
	if p.outsiders.isIdle(pod) {
		return true
	}
	until := p.standings.pausedUntil(pod, capacity.GPUs(&pod.Spec, p.GPUs), sc.At)
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
			pool.Waits = d.GPUs
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
