package capacity

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/elastic"
)

// domains are the nodes of a place by the value of one of their labels: hosts, racks, zones. A node without the label
// is in none.
type domains struct {
	at    []int // of each node: the number of its domain, or none
	names map[string]int
}

const none = -1

func newDomains(nodes []*node, topology string) *domains {
	d := &domains{at: make([]int, len(nodes)), names: map[string]int{}}
	for i := range nodes {
		name, has := nodes[i].Labels[topology]
		if !has {
			d.at[i] = none
			continue
		}
		number, known := d.names[name]
		if !known {
			number = len(d.names)
			d.names[name] = number
		}
		d.at[i] = number
	}
	return d
}

// of is the domain of a node; none if none of these is in it.
func (d *domains) of(n *corev1.Node, topology string) int {
	if number, known := d.names[n.Labels[topology]]; known {
		if _, has := n.Labels[topology]; has {
			return number
		}
	}
	return none
}

// ground is the nodes of a place, and for how many alike workers each has room, whatever these require of each other.
type ground struct {
	nodes   []*node
	room    [sides][]elastic.Workers
	domains map[string]*domains // by topology
}

func (g *ground) by(topology string) *domains {
	if g.domains[topology] == nil {
		g.domains[topology] = newDomains(g.nodes, topology)
	}
	return g.domains[topology]
}

// moreWithout are the nodes that have more room without some pods than with them.
func (g *ground) moreWithout(with, without []elastic.Workers) (names []string) {
	for i, n := range g.nodes {
		if without[i] > with[i] {
			names = append(names, n.Name)
		}
	}
	return names
}
