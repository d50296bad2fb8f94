package capacity

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/elastic"
)

// besideOthers is where pods fit that require something of the pods beside them, in the order of those that do not.
func (s *Supply) besideOthers(f fitting, b *beside, w Worker) fitting {
	fits, t, held := slices.Clone(f.fits), newSiting(f.where, GPUs(&w.Template.Spec, s.options)), []string(nil)
	for i := range fits {
		at := slices.IndexFunc(f.places, func(p place) bool { return p.name == fits[i].Pool })
		c := crowd{beside: b, job: w.Job, on: w.On, among: s.neighbours(), ground: f.ground[at]}
		c.countsFor = func(e evenly) []*corev1.Node { return s.countsFor(w, e, fits[i], f.where) }
		without := slices.Clone(c.leaves(bare))
		fits[i].Room, fits[i].Capacity = sum(c.leaves(now)), sum(c.leaves(alone))
		t.add(f.places[at], c.room)
		held = append(held, f.ground[at].moreWithout(c.room, without)...)
	}
	s.noteScarcePorts(&w.Template.Spec)
	f.fits, f.site, f.held = fits, s.sites.name(t), held
	return f
}

// leaves is the room that is left on each node on a side.
func (c *crowd) leaves(side side) []elastic.Workers {
	c.side, c.room = side, append(c.room[:0], c.ground.room[side]...)
	c.crowdOut()
	return c.room
}

// side is one of the questions that are asked of room: beside all pods that are there, with all of ours gone, or with
// those of others gone as well that have no GPUs.
type side int

const (
	now side = iota
	alone
	bare
	sides
)

// counts says that a pod is there on a side.
func (s side) counts(n neighbour) bool { return s == now || n.stays && (s == alone || n.hasGPUs) }

// crowd is workers and the pods that are there: it leaves on each node no more room than what they require of each
// other does.
type crowd struct {
	*beside
	side   side
	job    types.UID
	on     []string // where the workers run already
	among  *neighbours
	ground *ground
	room   []elastic.Workers // on each node of the ground: what is left of it
	// countsFor is which nodes count when workers are spread, whether they have GPUs or not.
	countsFor func(evenly) []*corev1.Node
}

func (c *crowd) crowdOut() {
	c.keepPortsApart()
	c.heed(c.among.against(c.namespace, c.labels))
	for i := range c.apart {
		c.keepApart(&c.apart[i])
	}
	for i := range c.together {
		c.keepTogether(&c.together[i])
	}
	for i := range c.even {
		c.spread(&c.even[i])
	}
}

// keepPortsApart leaves room for one on each node whose ports are free.
func (c *crowd) keepPortsApart() {
	if len(c.ports) == 0 {
		return
	}
	for i, node := range c.ground.nodes {
		c.room[i] = min(c.room[i], 1)
		for _, n := range c.among.onPorts[node.Name] {
			if c.side.counts(n) && clashes(c.ports, hostPorts(&n.Spec)) {
				c.room[i] = 0
			}
		}
	}
}

// heed leaves no room where pods are that want none like these beside them.
func (c *crowd) heed(guards []guard) {
	taken := map[string]map[int]bool{}
	for i := range guards {
		g := &guards[i]
		if at := c.ground.by(g.topology).of(g.on, g.topology); at != none && c.side.counts(g.neighbour) {
			if taken[g.topology] == nil {
				taken[g.topology] = map[int]bool{}
			}
			taken[g.topology][at] = true
		}
	}
	for topology, at := range taken {
		c.only(topology, func(domain int) bool { return !at[domain] })
	}
}

// keepApart leaves room for one in each domain, if these are of the kind themselves, and for none where others are.
func (c *crowd) keepApart(t *term) {
	if taken := c.domainsOf(t, c.side.counts); len(taken) > 0 {
		c.only(t.topology, func(domain int) bool { return !taken[domain] })
	}
	if !t.own {
		return
	}
	d := c.ground.by(t.topology)
	best := make([]int, len(d.names)) // of each domain: one more than the number of the node
	for i, at := range d.at {
		if at != none && (best[at] == 0 || c.better(i, best[at]-1)) {
			best[at] = i + 1
		}
	}
	for i, at := range d.at {
		switch {
		case at == none:
		case best[at] == i+1:
			c.room[i] = min(c.room[i], 1)
		default:
			c.room[i] = 0
		}
	}
}

// better says that workers would rather be on one node than on another of the same domain: they are there, or there is
// more room.
func (c *crowd) better(a, b int) bool {
	here, there := slices.Contains(c.on, c.ground.nodes[a].Name), slices.Contains(c.on, c.ground.nodes[b].Name)
	if here != there {
		return here
	}
	return c.room[a] > c.room[b]
}

// keepTogether leaves room in one domain only: where such pods are. The first of their kind go where most of them find
// room now, of the domains that have room for many.
func (c *crowd) keepTogether(t *term) {
	taken, d := map[int]bool{}, c.ground.by(t.topology)
	if t.selector != nil {
		taken = c.domainsOf(t, everyone)
	} else if len(d.names) == 0 {
		return
	}
	if t.own {
		for i, at := range d.at {
			if at != none && slices.Contains(c.on, c.ground.nodes[i].Name) {
				taken[at] = true
			}
		}
		if len(taken) == 0 {
			taken[c.roomiest(d)] = true
		}
	}
	if len(taken) == 0 && t.selector != nil && !c.among.any(t) {
		return // nobody tells when the first of them comes
	}
	c.only(t.topology, func(domain int) bool { return domain != none && taken[domain] })
}

// roomiest is the domain with most room now of those that would have half as much as any, if all of ours were gone: the
// first of them in the order of the nodes; none if there is none.
func (c *crowd) roomiest(d *domains) int {
	rooms, most := [sides][]elastic.Workers{}, elastic.Workers(0)
	for side, on := range c.ground.room {
		rooms[side] = make([]elastic.Workers, len(d.names))
		for i, at := range d.at {
			if at != none {
				rooms[side][at] += on[i]
			}
		}
	}
	for _, room := range rooms[alone] {
		most = max(most, room)
	}
	best := none
	for at, room := range rooms[now] {
		if 2*rooms[alone][at] >= most && (best == none || room > rooms[now][best]) {
			best = at
		}
	}
	return best
}

// everyone counts where workers want to be beside others, on either side.
func everyone(neighbour) bool { return true }

// domainsOf are those where pods of a kind are that count.
func (c *crowd) domainsOf(t *term, counts func(neighbour) bool) map[int]bool {
	taken, d := map[int]bool{}, c.ground.by(t.topology)
	c.among.like(t, func(n neighbour) {
		if at := d.of(n.on, t.topology); at != none && counts(n) {
			taken[at] = true
		}
	})
	return taken
}

// only leaves room in some domains alone.
func (c *crowd) only(topology string, in func(domain int) bool) {
	for i, at := range c.ground.by(topology).at {
		if !in(at) {
			c.room[i] = 0
		}
	}
}
