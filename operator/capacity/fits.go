package capacity

import (
	"cmp"
	"slices"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	scheduling "k8s.io/component-helpers/scheduling/corev1"

	"github.com/takt-dev/takt/elastic"
)

// Fit is a pool that the pods of a template may run in.
type Fit struct {
	Pool string
	// Selector are node labels that keep the pods in the pool, beside those that the template asks
	// for; nil if nothing is needed. Not to be changed.
	Selector map[string]string
	// Room is for how many workers of the template there is room beside all pods that are there. It
	// counts GPUs, CPU, memory, all else that nodes say they have, the number of pods, and what workers require of the
	// pods beside them; not what else may keep a pod from a node, such as volumes.
	Room elastic.Workers
	// Capacity is for how many there would be room if all of our workers were gone. Nodes that take
	// no new pods have none, though workers may still run there.
	Capacity elastic.Workers
}

// place is the part of a pool that some pods may run on: for all that the nodes and the pods say,
// whatever is free.
type place struct {
	*pool
	nodes []*node
}

// Worker is a pod of a job as it is to be placed.
type Worker struct {
	Template *corev1.PodTemplateSpec
	// Namespace is that of its job, and Labels those that it has beside those of the template.
	Namespace string
	Labels    map[string]string
	// Port is one that its controller adds to those that the template names; 0 is none.
	Port int32
	// Job is the job that its pods belong to.
	Job types.UID
	// On are the nodes of those of the job that run.
	On []string
	// Within is the label of nodes by which all of the job are to be in one domain, whatever the template says; empty if
	// they need not. It is passed over where no node has it.
	Within string
}

// labels are all labels of a worker.
func (w Worker) labels() labels.Set {
	if len(w.Labels) == 0 {
		return w.Template.Labels
	}
	return labels.Merge(w.Template.Labels, w.Labels)
}

// fitting is where pods fit for all that they say of nodes.
type fitting struct {
	fits   []Fit
	site   string
	places []place
	ground []*ground // of each place
	where  string    // the key of places
	held   []string  // the nodes on which pods without GPUs leave less room than there is beside all others
}

// Fits says which pools the workers of a job may run in at all, the best first: that where most
// GPUs are free on nodes that they may run on. There is none if they ask for no GPUs, or no node is
// large enough for one. Not to be changed.
func (s *Supply) Fits(w Worker) []Fit {
	if w.Template == nil {
		return nil
	}
	return s.fitted(w).fits
}

// HeldWithoutGPUs are the nodes on which pods without GPUs, which are not ours, keep workers of a job from room: they
// hold CPU, memory or ports, or want none like these beside them. Not to be changed.
func (s *Supply) HeldWithoutGPUs(w Worker) []string {
	if w.Template == nil {
		return nil
	}
	return s.fitted(w).held
}

// fitted is where workers fit for all that is known.
func (s *Supply) fitted(w Worker) fitting {
	if f, ok := s.special[w.Template]; ok {
		return f
	}
	as := w.Template
	w.Template = withoutTooMany(as)
	f := s.fit(&w.Template.Spec)
	b := besideOf(w)
	if b == nil && s.guarded && len(s.neighbours().against(w.Namespace, w.labels())) > 0 {
		b = &beside{namespace: w.Namespace, labels: w.labels()}
	}
	if b == nil || len(f.fits) == 0 {
		return f
	}
	f = s.besideOthers(f, b, w)
	s.special[as] = f
	return f
}

func (s *Supply) fit(spec *corev1.PodSpec) fitting {
	gpu, gpus := s.options.gpus(spec)
	if gpus == 0 {
		return fitting{}
	}
	each, more := takes(spec, gpu), extrasOf(spec, gpu, s.counts)
	s.key = appendConstraints(s.key[:0], spec, gpu)
	where := len(s.key)
	s.key = appendExtras(appendNumbers(s.key, each.gpus, each.cpu, each.memory), more)
	if f, ok := s.fits[string(s.key)]; ok {
		return f
	}
	places, ok := s.places[string(s.key[:where])]
	if !ok {
		places = s.placesFor(spec, gpu)
		s.places[string(s.key[:where])] = places
	}
	key := string(s.key)
	f := s.rank(spec, places, each, more, key[:where])
	s.fits[key] = f
	return f
}

// placesFor finds the nodes that pods may run on, by pool.
func (s *Supply) placesFor(spec *corev1.PodSpec, gpu corev1.ResourceName) []place {
	// Who tolerates a taint for a while only is driven out after that: it is no place to begin.
	tolerations := slices.DeleteFunc(slices.Clone(spec.Tolerations), func(t corev1.Toleration) bool {
		return t.TolerationSeconds != nil
	})
	chosen := choiceOf(spec)
	var places []place
	for _, p := range s.pools {
		if _, kept := scheduling.FindMatchingUntoleratedTaint(logr.Discard(), p.taints, tolerations, nil, true); kept {
			continue
		}
		here := place{pool: p}
		for _, n := range p.nodes {
			if n.resource == gpu && chosen.has(n.Node) {
				here.nodes = append(here.nodes, n)
			}
		}
		if len(here.nodes) > 0 {
			places = append(places, here)
		}
	}
	return places
}

// rank finds the room that pods have at each place.
func (s *Supply) rank(spec *corev1.PodSpec, places []place, each room, more extras, where string) fitting {
	f, free, t := fitting{where: where}, map[string]int64{}, newSiting(where, elastic.GPUs(each.gpus))
	for _, p := range places {
		g, large := &ground{nodes: p.nodes, domains: map[string]*domains{}}, false
		for side := range g.room {
			g.room[side] = make([]elastic.Workers, len(p.nodes))
		}
		for i, n := range p.nodes {
			if min(n.all.holds(each), n.has(more)) > 0 {
				large = true
				s.noteScarce(n, each, more)
			}
			g.room[now][i], g.room[alone][i] = n.roomFor(each, more), n.capacityFor(each, more)
			g.room[bare][i] = n.bareFor(each, more)
			free[p.name] += max(n.free().gpus, 0)
		}
		if large {
			f.places, f.ground = append(f.places, p), append(f.ground, g)
			f.fits = append(f.fits, Fit{Pool: p.name, Selector: s.selector(spec, p, places), Room: sum(g.room[now]),
				Capacity: sum(g.room[alone])})
			t.add(p, g.room[alone])
			f.held = append(f.held, g.moreWithout(g.room[alone], g.room[bare])...)
		}
	}
	slices.SortFunc(f.fits, func(a, b Fit) int {
		return cmp.Or(cmp.Compare(free[b.Pool], free[a.Pool]), cmp.Compare(a.Pool, b.Pool))
	})
	f.site = s.sites.name(t)
	return f
}

func sum(list []elastic.Workers) (all elastic.Workers) {
	for _, n := range list {
		all += n
	}
	return all
}
