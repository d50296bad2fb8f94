package elastic

// Site is which nodes the workers of a job may be on, where these are not all nodes of its pool, and how many on each:
// a worker may ask for a zone, for a node of its own, or for more memory than all of them find on one. Several jobs may
// have the same.
type Site struct {
	Name string             `json:"name"`
	Most map[string]Workers `json:"most"` // by node; none on all others
}

// manner is what tells whether two workers have room in the same places.
type manner struct {
	gpus     GPUs
	mayBeOn  *Site     // nil: anywhere
	appetite *appetite // nil: nothing but GPUs
}

func (j *trainee) manner() manner { return manner{j.gpus, j.mayBeOn, j.appetite} }

// modest says that any free GPU will do for a worker.
func (j *trainee) modest() bool { return j.gpus == 1 && j.mayBeOn == nil && j.appetite == nil }

// on is how many workers of one job a node has room for if it has it alone.
func (m manner) on(n *Node) Workers {
	most := Workers(max(n.GPUs, 0) / m.gpus)
	if bound, bounded := m.appetite.in(n.Room); bounded {
		most = min(most, bound)
	}
	if m.mayBeOn == nil {
		return most
	}
	return min(most, m.mayBeOn.Most[n.Name])
}

// trainee is a job as the pool plans for it.
func (p *pool) trainee(job Job, g goal) *trainee {
	gpus, site, appetite := max(job.GPUsPerWorker, 1), p.sites[job.Site], p.appetites.of(&job)
	most := p.workersOnNodes(manner{gpus, site, appetite})
	if site != nil || appetite != nil { // those that are elsewhere, or that there is no room for, stay
		most = min(max(most, job.Workers), p.workersOnNodes(manner{gpus: gpus}))
	}
	j := newTrainee(job, g, most)
	j.mayBeOn, j.appetite = site, appetite
	return j
}

// sites are those of a snapshot by their names.
func (s Snapshot) sites() map[string]*Site {
	if len(s.Sites) == 0 {
		return nil
	}
	sites := make(map[string]*Site, len(s.Sites))
	for i := range s.Sites {
		sites[s.Sites[i].Name] = &s.Sites[i]
	}
	return sites
}

// bound is how many workers of one job a node of a site may have.
type bound struct {
	node int
	most Workers
}

// boundsOf are those of a site, in the order of the nodes. Those who have none may be anywhere.
func (l *layout) boundsOf(site *Site) []bound {
	bounds, ok := l.bounds[site]
	if !ok {
		for i := range l.nodes {
			if site == nil {
				bounds = append(bounds, bound{i, mostGPUs})
			} else if most := site.Most[l.nodes[i].Name]; most > 0 {
				bounds = append(bounds, bound{i, most})
			}
		}
		if l.bounds == nil {
			l.bounds = map[*Site][]bound{}
		}
		l.bounds[site] = bounds
	}
	return bounds
}

// has is how many workers of a job each node has in a layout.
func (l *layout) has(j *trainee) map[int]Workers {
	has := map[int]Workers{}
	for _, name := range j.On[:min(int(j.Workers-j.gone), len(j.On))] {
		has[l.index[name]]++
	}
	for _, name := range j.added {
		has[l.index[name]]++
	}
	return has
}

// fullestOf is the fullest node of its site that has room for a worker of a job, for how many, and the first of them.
func (l *layout) fullestOf(j *trainee, has map[int]Workers) (node int, room Workers) {
	for _, b := range l.boundsOf(j.mayBeOn) {
		if l.free[b.node] < j.gpus || room > 0 && l.free[b.node] >= l.free[node] {
			continue // most nodes are full
		}
		if here := min(b.most-has[b.node], l.hasRoom(j, b.node)); here > 0 {
			node, room = b.node, here
		}
	}
	return node, room
}

// addOnSite places new workers on the fullest nodes of their site, all or none.
func (l *layout) addOnSite(j *trainee, count Workers) bool {
	has := l.has(j)
	return l.allOrNone(j, func() bool {
		for placed := Workers(0); placed < count; {
			node, room := l.fullestOf(j, has)
			if room == 0 {
				return false
			}
			more := min(count-placed, room)
			l.put(j, node, more)
			has[node] += more
			placed += more
		}
		return true
	})
}

// roomFor is the number of new workers of a job that there is room for.
func (l *layout) roomFor(j *trainee) Workers {
	if j.mayBeOn == nil && j.appetite == nil {
		return l.roomOn(j.gpus)
	}
	room, has := Workers(0), l.has(j)
	for _, b := range l.boundsOf(j.mayBeOn) {
		if l.free[b.node] >= j.gpus {
			room += max(0, min(b.most-has[b.node], l.hasRoom(j, b.node)))
		}
	}
	return room
}
