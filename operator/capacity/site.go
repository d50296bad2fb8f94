package capacity

import (
	"fmt"

	"github.com/takt-dev/takt/elastic"
)

// sites are those that were found so far, each once: many jobs have the same.
type sites struct {
	list   []elastic.Site
	number map[string]int             // by what it is
	most   map[string]elastic.Workers // by their names: on any of their nodes
}

// Sites are where those workers may be that were asked for, as far as that is not any node of their pools.
func (s *Supply) Sites() []elastic.Site { return s.sites.list }

// SiteOf is the name of the site of a worker; empty if it may be on any node of its pools.
func (s *Supply) SiteOf(w Worker) string {
	if w.Template == nil {
		return ""
	}
	return s.fitted(w).site
}

// MostOnOne is how many workers of one job may be on one node of a site at most; false if a site does not bound that.
func (s *Supply) MostOnOne(site string) (elastic.Workers, bool) {
	most, bounded := s.sites.most[site]
	return most, bounded
}

// siting collects where workers of some GPUs may be, place by place.
type siting struct {
	gpus   elastic.GPUs
	key    []byte
	places []place
	rooms  [][]elastic.Workers
	needed bool
}

func newSiting(where string, gpus elastic.GPUs) *siting {
	return &siting{gpus: gpus, key: appendNumbers([]byte(where), int64(gpus))}
}

// add notes for how many workers each node of a place has room with all of ours gone. A site is needed where a node
// that takes pods has GPUs for more. A closed one has GPUs of those alone that are there.
func (t *siting) add(p place, alone []elastic.Workers) {
	t.places, t.rooms = append(t.places, p), append(t.rooms, alone)
	has := 0
	for _, n := range p.pool.nodes {
		room := elastic.Workers(0)
		if has < len(p.nodes) && p.nodes[has] == n { // both are in the same order
			room = alone[has]
			t.key = appendNumbers(t.key, int64(room))
			has++
		}
		t.needed = t.needed || !n.closed && room < elastic.Workers(n.gpus()/t.gpus)
	}
}

// name is that of the site; empty if none is needed.
func (s *sites) name(t *siting) string {
	if !t.needed {
		return ""
	}
	at, known := s.number[string(t.key)]
	if !known {
		at = len(s.list)
		site, most := elastic.Site{Name: fmt.Sprint(at + 1), Most: map[string]elastic.Workers{}}, elastic.Workers(0)
		for i, p := range t.places {
			for k, n := range p.nodes {
				if room := t.rooms[i][k]; room > 0 {
					site.Most[n.Name] = room
					most = max(most, room)
				}
			}
		}
		if s.number == nil {
			s.number, s.most = map[string]int{}, map[string]elastic.Workers{}
		}
		s.number[string(t.key)] = at
		s.list, s.most[site.Name] = append(s.list, site), most
	}
	return s.list[at].Name
}
