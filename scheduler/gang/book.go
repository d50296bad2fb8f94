package gang

import (
	"cmp"
	"slices"
	"time"

	"github.com/takt-dev/takt/scheduler/order"
)

// Book knows all gangs. It is for one goroutine at a time.
type Book struct {
	limits  Limits
	pods    map[UID]*Pod
	records map[Change]Record
	gangs   map[ID]*gang
	jobs    map[job]*podsOfJob
	// underWay is the last change of a job that has not ended.
	underWay map[job]int64
	open     map[ID]bool // those with pods that are not bound
	calendar calendar
	claim    *claim
	claimed  map[job]time.Time // those that have had a claim: until when they may have one, and then none for as long
	vacated  map[job]*vacated
	plans    int // made so far
	effects  Effects
}

// gang is one of them.
type gang struct {
	id      ID
	pods    map[UID]*Pod
	there   row // its pods that may be placed
	open    row // those of them that have no node
	speaker UID
	plan    *Plan
	failed  int            // plans, one after the other
	most    map[string]int // of its pods that nodes took, as these have shown; until all is tried afresh
	retryAt time.Time      // zero if it may try at any time
	rested  time.Time      // until then it is the turn of others
	again   bool           // it would have been tried since, and is to be after that
	later   time.Time      // it is tried again by then; zero if somebody will tell
	since   time.Time      // its first pod was seen, or its record went
	begun   bool           // some of its pods are bound, and others are not
	named   bool           // it was told that its record is not there
	entered time.Time      // it is to be looked at then, by the calendar; zero if it is not there
	// complete is since when it could be tried; zero if it cannot yet.
	complete time.Time
}

// Plan is a node for each pod of a gang that has none yet.
type Plan struct {
	Number int
	Nodes  map[UID]string
	Until  time.Time
	// order is that in which they come, one after the other, where that matters; else all come at once.
	order []UID
	held  map[UID]bool // reserved
	firm  bool         // all of them were: they are being bound
}

// NewBook is empty.
func NewBook(l Limits) *Book {
	return &Book{
		limits: l, pods: map[UID]*Pod{}, records: map[Change]Record{}, gangs: map[ID]*gang{},
		jobs: map[job]*podsOfJob{}, underWay: map[job]int64{}, open: map[ID]bool{}, claimed: map[job]time.Time{},
		vacated: map[job]*vacated{},
	}
}

// Take is what is to be done since it was last asked.
func (b *Book) Take() Effects {
	e := b.effects
	b.effects = Effects{}
	for _, list := range [][]UID{e.Reject, e.Forget, e.Wake} {
		slices.Sort(list)
	}
	return e
}

// Saw notes a pod as it is now.
func (b *Book) Saw(p Pod, now time.Time) {
	old := b.pods[p.UID]
	if old != nil {
		// Nobody takes these back: an older state of the pod comes late.
		p.Node, p.Leaving = cmp.Or(p.Node, old.Node), p.Leaving || old.Leaving
		if old.Node != "" { // it is there for what it came for, whatever its labels have become
			p.Change, p.Declared, p.Owner, p.Leader, p.Index = old.Change, old.Declared, old.Owner, old.Leader, old.Index
		}
		if *old == p {
			return
		}
		b.of(b.id(old), now).loses(old)
		b.leaves(old)
	}
	b.pods[p.UID] = &p
	j := p.Change.job()
	if b.jobs[j] == nil {
		b.jobs[j] = &podsOfJob{pods: map[UID]bool{}, team: map[UID]int{}, held: map[UID]int{}}
	}
	b.jobs[j].pods[p.UID] = true
	b.jobs[j].count(&p, 1)
	if p.Leaving {
		b.vacates(&p, now)
	}
	g := b.of(b.id(&p), now)
	g.gains(&p)
	if old != nil {
		if was := b.id(old); was != g.id {
			b.look(b.of(was, now), now)
		}
	}
	b.look(g, now)
}

// Gone notes that there is no such pod any more.
func (b *Book) Gone(uid UID, now time.Time) {
	p := b.pods[uid]
	if p == nil {
		return
	}
	delete(b.pods, uid)
	b.leaves(p)
	b.vacates(p, now)
	g := b.of(b.id(p), now)
	g.loses(p)
	b.look(g, now)
}

// Knows says whether a pod has been seen, and has not gone since.
func (b *Book) Knows(uid UID) bool { return b.pods[uid] != nil }

// Bound says whether a pod is known, and has its node.
func (b *Book) Bound(uid UID) bool { return b.pods[uid] != nil && b.pods[uid].Node != "" }

// Urgency is how urgent the change is that a pod is of, and which it is; false for a pod that no Resize speaks for: it
// comes when any other pod would.
func (b *Book) Urgency(uid UID) (order.Urgency, Change, bool) {
	p, g := b.pods[uid], b.gangOf(uid)
	if g == nil || !b.vouched(p) {
		return order.Urgency{}, Change{}, false
	}
	u := b.records[p.Change].Urgency
	u.Begun = g.begun && b.told(g)
	return u, p.Change, true
}

// Vouched says that a Resize speaks for a pod.
func (b *Book) Vouched(uid UID) bool { return b.pods[uid] != nil && b.vouched(b.pods[uid]) }

// told says whether there is a Resize that waits to hear of a gang.
func (b *Book) told(g *gang) bool {
	record, known := b.records[g.id.Change]
	return g.id.Alone == "" && known && !record.Over
}

// Waiting is how many gangs have pods without a node.
func (b *Book) Waiting() int { return len(b.open) }

// of is the gang of an ID, which is made if there is none.
func (b *Book) of(id ID, now time.Time) *gang {
	g := b.gangs[id]
	if g == nil {
		g = &gang{id: id, pods: map[UID]*Pod{}, since: now}
		b.gangs[id] = g
	}
	return g
}
