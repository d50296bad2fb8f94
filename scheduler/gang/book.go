package gang

import (
	"cmp"
	"slices"
	"time"

	"github.com/takt-dev/takt/scheduler/order"
)

// Limits bound how long something may last.
type Limits struct {
	// Hold is how long a plan stands that is not carried out.
	Hold time.Duration
	// Orphan is how long pods wait for a Resize that is not there, before they are placed without it:
	// nobody's pods wait for Takt for ever.
	Orphan time.Duration
	// Retry is how long a gang whose plan has failed waits before the next, at first; twice as long each
	// time, and at most RetryMost.
	Retry, RetryMost time.Duration
	// Starving is how long a gang waits before it may claim nodes, and how long a claim lasts.
	Starving time.Duration
}

// DefaultLimits suit most clusters.
func DefaultLimits() Limits {
	return Limits{Hold: 30 * time.Second, Orphan: time.Minute, Retry: 100 * time.Millisecond, RetryMost: 10 * time.Second,
		Starving: 15 * time.Minute}
}

// Book knows all gangs. It is for one goroutine at a time.
type Book struct {
	limits  Limits
	pods    map[UID]*Pod
	records map[Change]Record
	gangs   map[ID]*gang
	jobs    map[job]*herd
	// underWay is the last change of a job that has not ended.
	underWay map[job]int64
	open     map[ID]bool // those with pods that are not bound
	claim    *claim
	rest     map[job]time.Time // those that have had a claim: until when they may have no other
	plans    int               // made so far
	effects  Effects
}

type job struct{ namespace, name string }

// herd are the pods of a job, and stay is how many of them are not about to go. Team is how many of those have a
// node, by what has made them, and held how many of them had one at a time at most, since the first of them had.
type herd struct {
	pods map[UID]bool
	stay int
	team map[UID]int
	held map[UID]int
}

// count adds to what is known of the pods of a job, or takes from it, what one of them is.
func (h *herd) count(p *Pod, n int) {
	if p.Leaving {
		return
	}
	h.stay += n
	if p.Node == "" || p.Owner == "" {
		return
	}
	if h.team[p.Owner] += n; h.team[p.Owner] == 0 {
		delete(h.team, p.Owner)
		delete(h.held, p.Owner)
		return
	}
	h.held[p.Owner] = max(h.held[p.Owner], h.team[p.Owner])
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
	since   time.Time      // its first pod was seen, or its record went
	begun   bool           // some of its pods are bound, and others are not
	named   bool           // it was told that its record is not there
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
		jobs: map[job]*herd{}, underWay: map[job]int64{}, open: map[ID]bool{}, rest: map[job]time.Time{},
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
		b.jobs[j] = &herd{pods: map[UID]bool{}, team: map[UID]int{}, held: map[UID]int{}}
	}
	b.jobs[j].pods[p.UID] = true
	b.jobs[j].count(&p, 1)
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
	g := b.of(b.id(p), now)
	g.loses(p)
	b.look(g, now)
}

// Knows says whether a pod has been seen, and has not gone since.
func (b *Book) Knows(uid UID) bool { return b.pods[uid] != nil }

// Bound says whether a pod is known, and has its node.
func (b *Book) Bound(uid UID) bool { return b.pods[uid] != nil && b.pods[uid].Node != "" }

// leaves takes a pod off the list of its job.
func (b *Book) leaves(p *Pod) {
	herd := b.jobs[p.Change.job()]
	herd.count(p, -1)
	if delete(herd.pods, p.UID); len(herd.pods) == 0 {
		delete(b.jobs, p.Change.job())
	}
}

// Recorded notes a Resize as it is now.
func (b *Book) Recorded(c Change, r Record, now time.Time) {
	if r.abandoned(now) {
		b.Erased(c, now)
		return
	}
	if old, known := b.records[c]; known && old == r {
		return
	}
	b.move(c, now, func() {
		b.records[c] = r
		if r.Over {
			b.ended(c)
		} else {
			b.underWay[c.job()] = max(b.underWay[c.job()], c.Epoch)
		}
	})
}

// Erased notes that there is no such Resize any more.
func (b *Book) Erased(c Change, now time.Time) {
	if _, known := b.records[c]; known {
		b.move(c, now, func() {
			delete(b.records, c)
			b.ended(c)
		})
	}
}

// ended notes that a change is not under way any more.
func (b *Book) ended(c Change) {
	if b.underWay[c.job()] == c.Epoch {
		delete(b.underWay, c.job())
	}
}

// Urgency is how urgent the change is that a pod is of, and which it is; false for a pod that is none of ours.
func (b *Book) Urgency(uid UID) (order.Urgency, Change, bool) {
	p := b.pods[uid]
	if p == nil {
		return order.Urgency{}, Change{}, false
	}
	u := order.Urgency{Since: p.Made}
	if g := b.gangOf(uid); g != nil && b.vouched(p) {
		u = b.records[p.Change].Urgency
		u.Begun = g.begun && b.told(g)
	}
	return u, p.Change, true
}

// vouched says that a Resize speaks for a pod: there is one of its change, and the job has no more pods than that
// says. Anybody may make pods that call themselves pods of a gang, and they come before no others by that. A Resize
// that has ended says nothing of pods to come. It speaks for those alone that come in place of one of a team: others
// that the same owner has made still hold their nodes, and wait for it, and with it there are no more than have held
// nodes together. Whoever forges an owner is hurried to nothing that he has not had without.
func (b *Book) vouched(p *Pod) bool {
	record, known := b.records[p.Change]
	herd := b.jobs[p.Change.job()]
	if !known || herd == nil || record.Pods > 0 && herd.stay > record.Pods {
		return false
	}
	return !record.Over || herd.stay <= herd.held[p.Owner]
}

// kin is how many pods of a job each node has, or is about to have.
func (b *Book) kin(c Change) map[string]int {
	nodes := map[string]int{}
	for uid := range b.podsOf(c) {
		p := b.pods[uid]
		node := p.Node
		if g := b.gangs[b.id(p)]; node == "" && g.plan != nil {
			node = g.plan.Nodes[uid]
		}
		if node != "" && !p.Leaving {
			nodes[node]++
		}
	}
	return nodes
}

// podsOf are the pods of the job of a change.
func (b *Book) podsOf(c Change) map[UID]bool {
	if herd := b.jobs[c.job()]; herd != nil {
		return herd.pods
	}
	return nil
}

// told says whether there is a Resize that waits to hear of a gang.
func (b *Book) told(g *gang) bool {
	record, known := b.records[g.id.Change]
	return g.id.Alone == "" && known && !record.Over
}

// Waiting is how many gangs have pods without a node.
func (b *Book) Waiting() int { return len(b.open) }

// move lets the pods of a change find their gangs anew after something has changed about it, and those of which it is
// not known yet whether they are of it.
func (b *Book) move(c Change, now time.Time, change func()) {
	var pods []*Pod
	for uid := range b.podsOf(c) {
		if p := b.pods[uid]; p.Change == c || p.Late && p.Node == "" {
			pods = append(pods, p)
		}
	}
	slices.SortFunc(pods, byIndex)
	before := map[ID]bool{}
	for _, p := range pods {
		id := b.id(p)
		before[id] = true
		b.of(id, now).loses(p)
	}
	change()
	for _, p := range pods {
		id := b.id(p)
		before[id] = true
		b.of(id, now).gains(p)
	}
	_, known := b.records[c]
	for id := range before {
		g := b.of(id, now)
		if !known {
			g.since = now // that it has been waiting for the record
		}
		b.look(g, now)
	}
}

// of is the gang of an ID, which is made if there is none.
func (b *Book) of(id ID, now time.Time) *gang {
	g := b.gangs[id]
	if g == nil {
		g = &gang{id: id, pods: map[UID]*Pod{}, since: now}
		b.gangs[id] = g
	}
	return g
}
