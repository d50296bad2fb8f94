package capacity

import (
	"cmp"
	"slices"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	scheduling "k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"

	"github.com/takt-dev/takt/elastic"
)

// Fit is a pool that the pods of a template may run in.
type Fit struct {
	Pool string
	// Selector are node labels that keep the pods in the pool, beside those that the template asks
	// for; nil if nothing is needed. Not to be changed.
	Selector map[string]string
	// Room is for how many workers of the template there is room beside all pods that are there. It
	// counts GPUs, CPU, memory, all else that nodes say they have, and the number of pods; not what else may keep a pod
	// from a node, such as volumes and the pods beside it.
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

// Fits says which pools the pods of a template may run in at all, the best first: that where most
// GPUs are free on nodes that they may run on. There is none if they ask for no GPUs, or no node is
// large enough for one. Not to be changed.
func (s *Supply) Fits(template *corev1.PodTemplateSpec) []Fit {
	if template == nil {
		return nil
	}
	return s.fit(&template.Spec)
}

func (s *Supply) fit(spec *corev1.PodSpec) []Fit {
	gpu, gpus := s.options.gpus(spec)
	if gpus == 0 {
		return nil
	}
	each, more := takes(spec, gpu), s.count(extrasOf(spec, gpu))
	s.key = appendConstraints(s.key[:0], spec, gpu)
	where := len(s.key)
	s.key = appendExtras(appendNumbers(s.key, each.gpus, each.cpu, each.memory), more)
	if fits, ok := s.fits[string(s.key)]; ok {
		return fits
	}
	places, ok := s.places[string(s.key[:where])]
	if !ok {
		places = s.placesFor(spec, gpu)
		s.places[string(s.key[:where])] = places
	}
	fits := s.rank(spec, places, each, more)
	s.fits[string(s.key)] = fits
	return fits
}

// placesFor finds the nodes that pods may run on, by pool.
func (s *Supply) placesFor(spec *corev1.PodSpec, gpu corev1.ResourceName) []place {
	// Who tolerates a taint for a while only is driven out after that: it is no place to begin.
	tolerations := slices.DeleteFunc(slices.Clone(spec.Tolerations), func(t corev1.Toleration) bool {
		return t.TolerationSeconds != nil
	})
	affinity := nodeaffinity.NewRequiredNodeAffinity(spec.NodeSelector, spec.Affinity)
	var places []place
	for _, p := range s.pools {
		if _, kept := scheduling.FindMatchingUntoleratedTaint(logr.Discard(), p.taints, tolerations, nil, true); kept {
			continue
		}
		here := place{pool: p}
		for _, n := range p.nodes {
			// A term that cannot be understood matches nothing: so the scheduler sees it.
			if ok, _ := affinity.Match(n.Node); ok && n.resource == gpu {
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
func (s *Supply) rank(spec *corev1.PodSpec, places []place, each room, more extras) []Fit {
	var fits []Fit
	free := map[string]int64{}
	for _, p := range places {
		fit, large := Fit{Pool: p.name}, false
		for _, n := range p.nodes {
			large = large || min(n.all.holds(each), n.has(more)) > 0
			fit.Room += n.roomFor(each, more)
			fit.Capacity += n.capacityFor(each, more)
			free[p.name] += max(n.free().gpus, 0)
		}
		if large {
			fit.Selector = s.selector(spec, p, places)
			fits = append(fits, fit)
		}
	}
	slices.SortFunc(fits, func(a, b Fit) int {
		return cmp.Or(cmp.Compare(free[b.Pool], free[a.Pool]), cmp.Compare(a.Pool, b.Pool))
	})
	return fits
}
