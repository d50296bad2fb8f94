package gang

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/takt-dev/takt/scheduler/order"
)

// world is a scheduler in small: a queue, nodes with GPUs, and pods that hold them. It does what the
// plugin does with the framework, one pod after the other, in an order that chance chooses.
type world struct {
	*desk
	random *rand.Rand
	free   map[string]int
	pods   map[UID]*Pod
	queue  map[UID]bool   // in the active queue
	kept   map[UID]string // nodes that are kept for pods on their way
	holds  map[UID]string // nodes that are reserved
	by     map[UID]int    // by which plan
	broken map[Change]bool
	claims int
}

func newWorld(t *testing.T, seed uint64) *world {
	random := rand.New(rand.NewPCG(seed, 7))
	w := &world{
		desk: open(t), random: random, free: map[string]int{}, pods: map[UID]*Pod{}, queue: map[UID]bool{},
		kept: map[UID]string{}, holds: map[UID]string{}, by: map[UID]int{}, broken: map[Change]bool{},
	}
	for i := range 2 + random.IntN(3) {
		w.free[fmt.Sprintf("node-%d", i)] = 4
	}
	return w
}

// react does what the book asks for.
func (w *world) react() {
	e := w.Take()
	for _, uid := range e.Forget {
		delete(w.kept, uid)
	}
	for _, uid := range e.Reject {
		if node := w.holds[uid]; node != "" {
			delete(w.holds, uid)
			w.free[node]++
			w.Failed(uid, w.by[uid], "rejected", w.now)
			w.roomWasMade()
		}
	}
	for _, uid := range e.Wake {
		w.enqueue(uid)
	}
	if e.Freed {
		w.roomWasMade()
	}
	if len(e.Reject)+len(e.Wake)+len(e.Forget) > 0 {
		w.react()
	}
}

func (w *world) enqueue(uid UID) {
	if p := w.pods[uid]; p == nil || p.Node != "" || w.holds[uid] != "" {
		return
	}
	if admitted, _ := w.Admit(uid, w.now); admitted {
		w.queue[uid] = true
	}
}

// roomWasMade tells those that speak for a gang.
func (w *world) roomWasMade() {
	for uid := range w.pods {
		if w.Speaks(uid) {
			w.enqueue(uid)
		}
	}
}

// room is what a node has, but for what is kept for others.
func (w *world) room(node string, but UID) int {
	room := w.free[node]
	for uid, n := range w.kept {
		if n == node && uid != but {
			room--
		}
	}
	return room
}

// schedule is one cycle.
func (w *world) schedule() {
	waiting := make([]UID, 0, len(w.queue))
	for uid := range w.queue {
		waiting = append(waiting, uid)
	}
	if len(waiting) == 0 {
		return
	}
	slices.Sort(waiting)
	uid := waiting[w.random.IntN(len(waiting))]
	delete(w.queue, uid)
	turn, _ := w.Turn(uid, w.now)
	w.react()
	if turn.Try != nil {
		nodes := map[UID]string{}
		for _, p := range turn.Try {
			for _, node := range w.nodes() {
				used := 0
				for _, n := range nodes {
					if n == node {
						used++
					}
				}
				if w.room(node, "")-used > 0 {
					nodes[p.UID] = node
					break
				}
			}
		}
		if len(nodes) < len(turn.Try) {
			keep, claim := w.Short(uid, w.now)
			if all := w.empty(turn.Try); claim && all != nil {
				w.Claim(uid, all, w.now)
				keep, w.claims = all, w.claims+1
			}
			maps.Copy(w.kept, keep)
			return
		}
		if turn.Plan = w.Planned(uid, nodes, nil, w.now); turn.Plan == 0 {
			return
		}
		maps.Copy(w.kept, nodes)
		turn.Node = nodes[uid]
	}
	if turn.Node == "" {
		return
	}
	if _, there := w.free[turn.Node]; !there || w.room(turn.Node, uid) <= 0 || w.random.IntN(30) == 0 {
		w.Failed(uid, turn.Plan, "somebody was faster", w.now)
		w.react()
		return
	}
	w.free[turn.Node]--
	w.holds[uid] = turn.Node
	delete(w.kept, uid)
	w.by[uid] = turn.Plan
	allow, _, outcome := w.Reserved(uid, turn.Plan, w.now)
	w.react()
	switch outcome {
	case Void:
		if w.holds[uid] != "" {
			w.free[w.holds[uid]]++
			delete(w.holds, uid)
		}
	case Incomplete:
	case Complete:
		for _, each := range append(allow, uid) {
			w.bind(each)
		}
	}
}

// empty is where pods could go if nobody else were there.
func (w *world) empty(pods []Pod) map[UID]string {
	all := map[UID]string{}
	for i, node := range w.nodes() {
		for _, p := range pods[min(4*i, len(pods)):min(4*i+4, len(pods))] {
			all[p.UID] = node
		}
	}
	if len(all) < len(pods) {
		return nil
	}
	return all
}

func (w *world) bind(uid UID) {
	node := w.holds[uid]
	delete(w.holds, uid)
	p := w.pods[uid]
	if p == nil {
		return
	}
	if _, there := w.free[node]; !there || w.random.IntN(40) == 0 {
		w.broken[p.Change] = true // the API server has refused it, after others were bound
		if there {
			w.free[node]++
			defer w.roomWasMade()
		}
		w.Failed(uid, w.by[uid], "could not be bound", w.now)
	} else {
		p.Node = node
		w.saw(*p)
	}
	w.react()
}

func (w *world) nodes() []string {
	var all []string
	for node := range w.free {
		all = append(all, node)
	}
	slices.Sort(all)
	return all
}

func (w *world) remove(uid UID) {
	p := w.pods[uid]
	if p == nil {
		return
	}
	delete(w.pods, uid)
	delete(w.queue, uid)
	delete(w.kept, uid)
	for _, node := range []string{p.Node, w.holds[uid]} {
		if _, there := w.free[node]; there && node != "" {
			w.free[node]++
		}
	}
	delete(w.holds, uid)
	w.Gone(uid, w.now)
	w.react()
}

// check is what must hold at any time.
func (w *world) check() {
	for node, free := range w.free {
		if free < 0 {
			w.t.Fatalf("%s has %d GPUs free", node, free)
		}
	}
	if w.broken == nil {
		return
	}
	type count struct{ bound, all int }
	counts := map[Change]count{}
	for _, p := range w.pods {
		of := counts[p.Change]
		of.all++
		if p.Node != "" {
			of.bound++
		}
		counts[p.Change] = of
	}
	for c, of := range counts {
		if of.bound > 0 && of.bound < of.all && !w.broken[c] {
			w.t.Fatalf("%d of %d pods of %s are bound", of.bound, of.all, c.Name())
		}
	}
}

// Twenty gangs want the same GPUs, and their pods come in any order; pods are deleted, nodes are lost, plans
// fail. Never is a part of a gang bound, unless something broke while it was; in the end, once
// everybody who is placed goes again, everyone has been placed, and nothing is kept for anyone.
func TestTwentyGangsThatWantTheSame(t *testing.T) {
	claims := 0
	for seed := range uint64(80) {
		w := newWorld(t, seed)
		if seed%2 == 1 {
			w.limits.Starving = 5 * time.Second
		}
		var jobs []Change
		var coming []Pod
		for j := range 20 {
			c := Change{"team", fmt.Sprintf("job%d", j), 3}
			jobs = append(jobs, c)
			pods := 1 + w.random.IntN(6)
			for i := range pods {
				p := pod(i, 0, pods)
				p.UID, p.Change = UID(fmt.Sprintf("%s/%d", c.Job, i)), c
				coming = append(coming, p)
			}
			w.Recorded(c, Record{Urgency: order.Urgency{Since: noon}}, w.now)
		}
		w.random.Shuffle(len(coming), func(i, j int) { coming[i], coming[j] = coming[j], coming[i] })
		placed := map[string]bool{}
		for turn := range 20_000 {
			switch roll := w.random.IntN(20); {
			case len(coming) > 0 && roll < 8:
				p := coming[0]
				coming = coming[1:]
				w.pods[p.UID] = &p
				w.saw(p)
				w.react()
				w.enqueue(p.UID)
			case roll == 8 && turn < 500 && len(w.free) > 2:
				node := w.nodes()[0]
				delete(w.free, node)
				w.NodeGone(node, w.now)
				w.react()
				for uid, p := range w.pods {
					if p.Node == node { // its controller makes it anew, with a record that is over
						w.Recorded(p.Change, Record{Over: true}, w.now)
						w.broken[p.Change] = true
						w.remove(uid)
						placed[p.Change.Job] = true
					}
				}
			case roll == 9 || roll == 10:
				w.after(time.Duration(w.random.IntN(3000)) * time.Millisecond)
				w.react()
			case roll == 11: // whoever is placed is done at some time
				for _, c := range jobs {
					done := true
					var mine []UID
					for uid, p := range w.pods {
						if p.Change == c {
							mine = append(mine, uid)
							done = done && p.Node != ""
						}
					}
					left := slices.ContainsFunc(coming, func(p Pod) bool { return p.Change == c })
					if done && !left && len(mine) > 0 && w.random.IntN(3) == 0 {
						placed[c.Job] = true
						for _, uid := range mine {
							w.remove(uid)
						}
						w.roomWasMade()
					}
				}
			default:
				w.schedule()
			}
			w.check()
			if len(placed) == len(jobs) {
				break
			}
		}
		if len(placed) < len(jobs) || len(w.pods) > 0 && w.Waiting() > 0 {
			var stuck []string
			for uid, p := range w.pods {
				_, why := w.Admit(uid, w.now)
				stuck = append(stuck, fmt.Sprintf("%s on %q: %s", uid, p.Node, why))
			}
			slices.Sort(stuck)
			t.Fatalf("seed %d: %d of %d gangs were placed; free %v, kept %v, held %v\n%v", seed, len(placed), len(jobs), w.free,
				w.kept, w.holds, stuck)
		}
		claims += w.claims
		if len(w.holds) > 0 || len(w.kept) > 0 {
			t.Fatalf("seed %d: when all is done, %v hold nodes and for %v some are kept", seed, w.holds, w.kept)
		}
	}
	if claims == 0 {
		t.Error("nobody has claimed anything")
	}
}
