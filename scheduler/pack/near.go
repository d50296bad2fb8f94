package pack

import (
	"maps"
	"slices"
	"strconv"
)

// near is where the pods of a job are: the nodes and the domains of each level.
type near struct {
	p    *placer
	node map[int]bool
	in   []map[string]bool
}

// before is where they are before anything is placed.
func (p *placer) before() *near {
	k := &near{p: p, node: map[int]bool{}, in: make([]map[string]bool, p.levels)}
	for level := range k.in {
		k.in[level] = map[string]bool{}
	}
	for n := range p.nodes {
		if p.nodes[n].Kin > 0 {
			k.add(n)
		}
	}
	return k
}

func (k *near) clone() *near {
	c := &near{p: k.p, node: maps.Clone(k.node), in: make([]map[string]bool, len(k.in))}
	for level, in := range k.in {
		c.in[level] = maps.Clone(in)
	}
	return c
}

func (k *near) add(n int) {
	k.node[n] = true
	for level, domain := range k.p.nodes[n].Domains {
		k.in[level][domain] = true
	}
}

// cost is what it costs to go to a node: for each level something, unless the job is in that domain
// already, or nowhere yet.
func (k *near) cost(n int) int {
	if len(k.node) == 0 {
		return 0
	}
	cost := 0
	if !k.node[n] {
		cost += k.p.apart(OneNode)
	}
	for level, domain := range k.p.nodes[n].Domains {
		if !k.in[level][domain] {
			cost += k.p.apart(Level(level + 1))
		}
	}
	return cost
}

func (p *placer) apart(l Level) int {
	if int(l) < len(p.wish.Apart) {
		return p.wish.Apart[l]
	}
	return 0
}

// domains are those of a level, each as a list of nodes. Where all pods must be in one, and some of the
// job are somewhere already, it is only there.
func (p *placer) domains(level Level) [][]int {
	bound := p.wish.Within != Anywhere && slices.ContainsFunc(p.nodes, func(n Node) bool { return n.Kin > 0 })
	home := map[string]bool{}
	byName := map[string][]int{}
	var names []string
	for n := range p.nodes {
		outer, inner := p.nameAt(n, p.wish.Within), p.nameAt(n, level)
		if p.nodes[n].Kin > 0 {
			home[outer] = true
		}
		if inner == "" {
			continue
		}
		if byName[inner] == nil {
			names = append(names, inner)
		}
		byName[inner] = append(byName[inner], n)
	}
	var all [][]int
	for _, name := range names {
		if !bound || home[p.nameAt(byName[name][0], p.wish.Within)] {
			all = append(all, byName[name])
		}
	}
	return all
}

// Homes are the domains that all pods may be in, each as a list of nodes: everything, unless it is wished
// otherwise.
func Homes(nodes []Node, wish Wish) [][]int {
	p := &placer{nodes: nodes, wish: wish}
	if wish.Within == Anywhere {
		return [][]int{indices(nodes)}
	}
	return p.domains(wish.Within)
}

// nameAt is the domain of a node at a level; empty if it has none.
func (p *placer) nameAt(n int, level Level) string {
	switch {
	case level == Anywhere:
		return ""
	case level == OneNode:
		return strconv.Itoa(n)
	case int(level) <= len(p.nodes[n].Domains):
		return p.nodes[n].Domains[level-1]
	default:
		return ""
	}
}
