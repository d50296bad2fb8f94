package gang

import (
	"cmp"
	"slices"
)

// row are pods in the order of their indices. It is kept in order, and not sorted each time that somebody asks: anybody
// may make thousands of pods that call themselves one gang, and each of them is looked at whenever one more comes.
type row []*Pod

func (r *row) put(p *Pod) {
	at, _ := slices.BinarySearchFunc(*r, p, byIndex)
	*r = slices.Insert(*r, at, p)
}

func (r *row) take(p *Pod) {
	if at, is := slices.BinarySearchFunc(*r, p, byIndex); is {
		*r = slices.Delete(*r, at, at+1)
	}
}

// upTo are those that come no later than the last of others.
func (r row) upTo(others row) row {
	if len(others) == 0 {
		return nil
	}
	at, is := slices.BinarySearchFunc(r, others[len(others)-1], byIndex)
	if is {
		at++
	}
	return r[:at:at]
}

func (r row) has(p *Pod) bool {
	_, is := slices.BinarySearchFunc(r, p, byIndex)
	return is
}

// gains notes a pod of the gang as it is now.
func (g *gang) gains(p *Pod) {
	g.pods[p.UID] = p
	if p.Leaving || p.Gated {
		return
	}
	if g.there.put(p); p.Node == "" {
		g.open.put(p)
	}
}

// loses takes off a pod as it was last noted.
func (g *gang) loses(p *Pod) {
	delete(g.pods, p.UID)
	g.there.take(p)
	g.open.take(p)
}

// byIndex puts the leader first, and then the workers in their order.
func byIndex(p, q *Pod) int {
	rank := func(p *Pod) int {
		if p.Leader {
			return -1
		}
		return p.Index
	}
	return cmp.Or(cmp.Compare(rank(p), rank(q)), p.Made.Compare(q.Made), cmp.Compare(p.UID, q.UID))
}

// wanted is how many pods the gang is to have.
func (b *Book) wanted(g *gang) int {
	if g.id.Alone != "" {
		return 1
	}
	r, known := b.records[g.id.Change]
	if !known { // nobody says how many they are to be
		return len(g.pods)
	}
	wanted := 0
	if len(g.there) > 0 {
		wanted = g.there[0].Declared.Pods
	}
	if g.id.Stage == forward {
		wanted -= r.Fewer
	}
	if r.Pods > 0 {
		wanted = min(wanted, r.Pods)
	}
	return wanted
}

// members are the pods that the gang consists of, as far as they are there: the lowest indices, for
// the others are those that go when it settles for fewer. Nobody may change what this returns.
func (b *Book) members(g *gang) row {
	n := max(min(len(g.there), b.wanted(g)), 0)
	return g.there[:n:n]
}

// unbound are those of the members that have no node. Nobody may change what this returns.
func (b *Book) unbound(g *gang) row { return g.open.upTo(b.members(g)) }
