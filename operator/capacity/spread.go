package capacity

import (
	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	scheduling "k8s.io/component-helpers/scheduling/corev1"

	"github.com/takt-dev/takt/elastic"
)

// balance is how workers are spread over the domains of a ground: whether each counts, how many it has, and for how
// many more there is room. A domain without a node of the ground has no room, and keeps the others from having more.
type balance struct {
	*domains
	counts    []bool
	has, room []int
	elsewhere map[string]int // how many those have that are not of the ground
}

// spread leaves as much room in each domain as keeps them even, once all have as many as they can.
func (c *crowd) spread(e *evenly) {
	b := c.balance(e)
	fewest := b.fewest(e.domains)
	for i, at := range b.at {
		if at == none || !b.counts[at] {
			c.room[i] = 0
			continue
		}
		c.room[i] = min(c.room[i], elastic.Workers(max(0, fewest+e.skew-b.has[at])))
		b.has[at] += int(c.room[i])
	}
}

// spreads says that a pod counts where workers are spread. Those of other jobs of ours do on each side: should all of
// them give way, and these be placed as if they had, the next that stays would be one too many.
func (c *crowd) spreads(n neighbour) bool {
	return c.side.counts(n) || n.worksFor != "" && n.worksFor != c.job
}

func (c *crowd) balance(e *evenly) *balance {
	d := c.ground.by(e.topology)
	b := &balance{domains: d, counts: make([]bool, len(d.names)), has: make([]int, len(d.names)),
		room: make([]int, len(d.names)), elsewhere: map[string]int{}}
	for _, n := range c.countsFor(*e) {
		name, ok := n.Labels[e.topology]
		if at := d.of(n, e.topology); at != none {
			b.counts[at] = true
		} else if ok {
			b.elsewhere[name] = 0
		}
	}
	c.among.like(&e.term, func(n neighbour) {
		name := n.on.Labels[e.topology]
		at, counted := d.of(n.on, e.topology), c.spreads(n)
		if at != none && counted {
			b.has[at]++
		} else if _, ok := b.elsewhere[name]; ok && counted {
			b.elsewhere[name]++
		}
	})
	for i, at := range d.at {
		if at != none {
			b.room[at] += int(c.room[i])
		}
	}
	return b
}

// fewest is how many the domain has that has fewest, once all have as many as they can; 0 if there are too few domains.
func (b *balance) fewest(domains int) int {
	fewest, count := mostAmount, len(b.elsewhere)
	for _, has := range b.elsewhere {
		fewest = min(fewest, has)
	}
	for at, counts := range b.counts {
		if counts {
			count++
			fewest = min(fewest, b.has[at]+b.room[at])
		}
	}
	if count < domains {
		return 0
	}
	return fewest
}

// evenness is what tells which nodes count when pods are spread.
type evenness struct {
	pool               string
	everyNode, tainted bool
}

// countsFor is which nodes count when workers are spread in a pool, of all that there are: those that they may run on
// for what they say of nodes. A node counts though it is closed, or tainted, unless they say otherwise.
func (s *Supply) countsFor(w Worker, e evenly, in Fit, where string) []*corev1.Node {
	if s.even[where] == nil {
		s.even[where] = map[evenness][]*corev1.Node{}
	}
	by := evenness{in.Pool, e.everyNode, e.tainted}
	if nodes, ok := s.even[where][by]; ok {
		return nodes
	}
	spec, nodes := &w.Template.Spec, []*corev1.Node{}
	chosen := choiceOf(spec)
	pinned := labels.SelectorFromSet(in.Selector)
	for _, n := range s.cluster.Nodes {
		if !e.everyNode && (!chosen.has(n) || !pinned.Matches(labels.Set(n.Labels))) {
			continue
		}
		if !e.tainted {
			if _, kept := scheduling.FindMatchingUntoleratedTaint(logr.Discard(), n.Spec.Taints, spec.Tolerations, keepsOut,
				true); kept {
				continue
			}
		}
		nodes = append(nodes, n)
	}
	s.even[where][by] = nodes
	return nodes
}
