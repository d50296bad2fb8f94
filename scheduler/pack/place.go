package pack

import "slices"

// Node is what one node has for a gang.
type Node struct {
	// Free is how many GPUs nobody has.
	Free int
	// Room is how many pods of each class it could take if they were the only ones: as far as is known,
	// for 0 is certain and more is hoped.
	Room []int
	// Domains are the rack, the zone and so on that it is in, the narrowest first. It is in none where
	// that is empty.
	Domains []string
	// Kin is how many pods of the same job it has already.
	Kin int
}

// Class are pods of a gang that are alike.
type Class struct {
	Pods int
	GPUs int // of each
}

// Level is how wide a domain is. Node is the narrowest; Domains[0] of a node is the next.
type Level int

const (
	// Anywhere is no level: the pods may be spread over everything.
	Anywhere Level = -1
	// OneNode is the level of a single node.
	OneNode Level = 0
)

// Wish is how close together a job wants its pods.
type Wish struct {
	// Within is the level at which all pods of the job must be in one domain.
	Within Level
	// Apart is what each further domain costs, by level.
	Apart []int
}

// Share is what one node gets.
type Share struct {
	Node  int // index
	Class int
	Pods  int
}

// Place finds nodes for as many pods as it can, and at the least cost among those ways that it looks at:
// each single domain of each level, and everything. Within one of them it takes again and again the
// node that costs least for each pod. Of two ways that cost the same, that which leaves
// less on the nodes that it uses is taken; then the narrower.
func Place(nodes []Node, classes []Class, wish Wish) []Share {
	p := &placer{nodes: nodes, classes: classes, wish: wish, order: byGPUs(classes)}
	for _, c := range classes {
		p.pods += c.Pods
	}
	for i := range nodes {
		p.levels = max(p.levels, len(nodes[i].Domains))
	}
	p.kin = p.before()
	all := p.candidates()
	for _, domain := range all {
		if p.atMost(domain) == p.pods {
			p.try(domain)
		}
	}
	if p.bestPods == p.pods {
		return p.best
	}
	for _, domain := range all {
		if p.atMost(domain) > p.bestPods {
			p.try(domain)
		}
	}
	return p.best
}

// Count is how many pods have a node.
func Count(shares []Share) int {
	n := 0
	for _, s := range shares {
		n += s.Pods
	}
	return n
}

type placer struct {
	nodes   []Node
	classes []Class
	wish    Wish
	order   []int // the classes, those with most GPUs first: they are the hardest to place
	pods    int
	levels  int   // that there are above the node
	kin     *near // where others of the job are

	best     []Share
	bestPods int
	bestCost int
	bestLeft int
}

// candidates are where all could be, the narrowest first.
func (p *placer) candidates() [][]int {
	var all [][]int
	for level := OneNode; int(level) <= p.levels && (p.wish.Within == Anywhere || level <= p.wish.Within); level++ {
		all = append(all, p.domains(level)...)
	}
	if p.wish.Within == Anywhere {
		all = append(all, indices(p.nodes))
	}
	return all
}

// try fills some of the nodes, and keeps the outcome if it is the best so far.
func (p *placer) try(domain []int) {
	shares, cost, left := p.fill(domain)
	n := Count(shares)
	if n > p.bestPods || n == p.bestPods && (cost < p.bestCost || cost == p.bestCost && left < p.bestLeft) {
		p.best, p.bestPods, p.bestCost, p.bestLeft = shares, n, cost, left
	}
}

// atMost is more than the nodes could take, or as much.
func (p *placer) atMost(domain []int) int {
	total := 0
	for c, class := range p.classes {
		room := 0
		for _, n := range domain {
			if room += p.nodes[n].takes(c, class.GPUs); room >= class.Pods {
				room = class.Pods
				break
			}
		}
		total += room
	}
	return total
}

// takes is how many pods of a class the node takes.
func (n *Node) takes(class, gpus int) int {
	room := n.Room[class]
	if gpus > 0 {
		room = min(room, n.Free/gpus)
	}
	return max(room, 0)
}

// fill gives the pods to some of the nodes. What is left is free on the nodes that get some.
func (p *placer) fill(domain []int) (shares []Share, cost, leftover int) {
	free := make([]int, len(domain))
	for i, n := range domain {
		free[i] = p.nodes[n].Free
	}
	near := p.kin.clone()
	for _, c := range p.order {
		gpus, left := p.classes[c].GPUs, p.classes[c].Pods
		taken := make([]bool, len(domain))
		for left > 0 {
			at, take, price := -1, 0, 0
			for i, n := range domain {
				node := p.nodes[n]
				node.Free = free[i]
				t := min(node.takes(c, gpus), left)
				if t == 0 || taken[i] {
					continue
				}
				full := Waste(free[i]-t*gpus) - Waste(free[i]) + near.cost(n)
				// Less for each pod; then more pods, then the busier node.
				order := full*max(take, 1) - price*t
				if at < 0 || order < 0 || order == 0 && (t > take || t == take && free[i] < free[at]) {
					at, take, price = i, t, full
				}
			}
			if at < 0 {
				break
			}
			shares = append(shares, Share{domain[at], c, take})
			free[at] -= take * gpus
			taken[at] = true
			left -= take
			cost += price
			near.add(domain[at])
		}
	}
	for i, n := range domain {
		if free[i] < p.nodes[n].Free {
			leftover += free[i]
		}
	}
	return shares, cost, leftover
}

func byGPUs(classes []Class) []int {
	order := indices(classes)
	slices.SortStableFunc(order, func(a, b int) int { return classes[b].GPUs - classes[a].GPUs })
	return order
}

func indices[T any](all []T) []int {
	list := make([]int, len(all))
	for i := range all {
		list[i] = i
	}
	return list
}
