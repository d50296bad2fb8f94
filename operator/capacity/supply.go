package capacity

import (
	"cmp"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/takt-dev/takt/elastic"
)

// Supply is what a cluster has for the jobs of Takt. It remembers what it was asked, so it is not for
// several goroutines at a time.
type Supply struct {
	// Nodes are those with GPUs, by name, and how many of these Takt may hand out: all but what pods
	// hold that are not ours, and stay. A node that takes no new pods has exactly what our workers hold there, unless it
	// is about to take some.
	Nodes []elastic.Node
	// Demands are what pods that are not ours wait for, at most one of each pool.
	Demands []elastic.Demand
	// Waiting are these pods, and Roomy those of them for which as many GPUs are free as they ask for, beside all others,
	// on one node or on several.
	Waiting, Roomy []*corev1.Pod

	options  Options
	nodes    map[string]*node
	pools    []*pool                      // by name
	products int                          // how many different ones there are
	named    map[corev1.ResourceName]bool // by any node
	scarce   map[corev1.ResourceName]bool // for workers that were asked for
	ports    int                          // how many of these are ports

	cluster Cluster
	sites   sites
	guarded bool // some pod wants none of some kind beside it
	beside  *neighbours

	key     []byte
	places  map[string][]place                  // by what a pod says of where it may run
	fits    map[string]fitting                  // by that, and what it takes
	special map[*corev1.PodTemplateSpec]fitting // of those that require something of the pods beside them
	even    map[string]map[evenness][]*corev1.Node
}

// Read reads a cluster.
func Read(c Cluster, o Options) *Supply {
	s := &Supply{
		options: o, nodes: make(map[string]*node, len(c.Nodes)), places: map[string][]place{}, fits: map[string]fitting{},
		named: map[corev1.ResourceName]bool{}, scarce: map[corev1.ResourceName]bool{},
		special: map[*corev1.PodTemplateSpec]fitting{}, cluster: c, even: map[string]map[evenness][]*corev1.Node{},
	}
	chosen := labels.SelectorFromSet(o.NodeSelector)
	named := false // where no node has the label of its product, none gets it
	for _, n := range c.Nodes {
		if n := newNode(n, o, c.Now); n != nil && chosen.Matches(labels.Set(n.Labels)) {
			s.nodes[n.Name] = n
			s.nameResources(n.Node)
			named = named || n.Labels[o.ProductLabel] != ""
		}
	}
	for _, n := range s.nodes {
		if _, unnamed := o.Unnamed(n.Node, c.Now); unnamed && named && !n.closed {
			n.closed, n.returning = true, true
		}
	}
	var pending []*corev1.Pod
	for _, pod := range c.Pods {
		ours := c.Ours != nil && c.Ours(pod)
		s.guarded = s.guarded || pod.Spec.NodeName != "" && len(guardsOf(&pod.Spec)) > 0
		switch n := s.nodes[pod.Spec.NodeName]; {
		case pod.Status.Phase == corev1.PodSucceeded, pod.Status.Phase == corev1.PodFailed:
		case n != nil:
			n.hold(pod, c.holder(pod, o))
		case !ours && o.waits(pod, c.Now) && (c.Idle == nil || !c.Idle(pod)):
			pending = append(pending, pod)
		}
	}
	maps.DeleteFunc(s.nodes, func(_ string, n *node) bool { return n.empty() })
	s.divide()
	s.demand(pending)
	return s
}

// holder says whose a pod is. Where another pod takes the place of one that is terminating, or it has long to go, or
// nobody knows any more when it will be gone, what it has is not coming.
func (c Cluster) holder(pod *corev1.Pod, o Options) holder {
	switch gone := pod.DeletionTimestamp; {
	case c.Ours != nil && c.Ours(pod):
		return ofOurs
	case gone == nil, c.Now.Sub(gone.Time).Abs() >= o.LeaveWithin, c.Replaced != nil && c.Replaced(pod):
		return stays
	}
	return vacates
}

// divide puts the nodes into pools.
func (s *Supply) divide() {
	pools, products := map[string]*pool{}, map[string]bool{}
	for _, n := range s.nodes {
		p := poolOf(n, s.options)
		if pools[p.name] == nil {
			pools[p.name] = &p
			s.pools = append(s.pools, &p)
		}
		n.pool = pools[p.name]
		n.pool.nodes = append(n.pool.nodes, n)
		products[p.product] = true
	}
	s.products = len(products)
	slices.SortFunc(s.pools, func(a, b *pool) int { return cmp.Compare(a.name, b.name) })
	for _, p := range s.pools {
		slices.SortFunc(p.nodes, func(a, b *node) int { return cmp.Compare(a.Name, b.Name) })
		for _, n := range p.nodes {
			s.Nodes = append(s.Nodes, elastic.Node{Name: n.Name, Pool: p.name, GPUs: n.gpus()})
		}
	}
	slices.SortFunc(s.Nodes, func(a, b elastic.Node) int { return cmp.Compare(a.Name, b.Name) })
}

// PoolOf is the pool of a node; false if there is no such node, or it has no GPUs.
func (s *Supply) PoolOf(node string) (string, bool) {
	n, ok := s.nodes[node]
	if !ok {
		return "", false
	}
	return n.pool.name, true
}

// Others are the GPUs of a pool that pods hold which are not ours, and stay.
func (s *Supply) Others(pool string) elastic.GPUs {
	return s.sum(pool, func(n *node) int64 { return n.staying().gpus })
}

// Coming are those GPUs of a pool's nodes on which nothing can begin yet: pods still hold them which are not ours, and
// are about to be gone, or their node has answered again a moment ago, and takes no pods so far.
func (s *Supply) Coming(pool string) elastic.GPUs { return s.sum(pool, (*node).coming) }

func (s *Supply) sum(pool string, of func(*node) int64) elastic.GPUs {
	sum := int64(0)
	for _, p := range s.pools {
		for _, n := range p.nodes {
			if p.name == pool {
				sum += of(n)
			}
		}
	}
	return elastic.GPUs(sum)
}
