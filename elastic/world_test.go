package elastic

import (
	"cmp"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// world does what the planner says, to jobs that train as fast as is expected of them.
type world struct {
	t *testing.T
	Snapshot
	random *rand.Rand
	places bool // it is known on which nodes workers are

	plans, restless int // how many plans there were, and how many of them that did not settle soon

	// truth has the sizes of jobs of which nothing is known before they have trained for a while.
	truth   map[string][]Size
	trained map[string]Seconds

	finished map[string]Seconds
	promised map[string]Seconds // deadlines
	warned   map[string]bool    // whose promise was said to be at risk while there was time
	forgone  map[string]bool    // whose owner has forbidden what its promise took
}

func newWorld(t *testing.T, r *rand.Rand, s Snapshot) *world {
	return &world{
		t: t, Snapshot: s, random: r,
		truth: map[string][]Size{}, trained: map[string]Seconds{}, finished: map[string]Seconds{},
		promised: map[string]Seconds{}, warned: map[string]bool{}, forgone: map[string]bool{},
	}
}

// plan plans, checks what must always be true of a decision, and acts on it.
func (w *world) plan() Decision {
	w.t.Helper()
	if err := w.Check(); err != nil {
		w.t.Fatalf("the world has gone wrong: %v", err)
	}
	d := Plan(w.Snapshot)
	for _, complaint := range broken(w.Snapshot, d) {
		w.t.Errorf("at %v: %s", w.Now, complaint)
	}
	w.shuffle(d)
	w.spares(d)
	w.sparesLent(d)
	w.act(d)
	// A job that is stopped to make room on a node may start on another one: that takes a second step.
	for range 2 {
		if again := Plan(w.Snapshot); w.places && len(again.Resizes) > 0 {
			w.act(again)
			d = again
		}
	}
	again := Plan(w.Snapshot).Resizes
	// Where nobody knows on which nodes workers are, what did not fit before any ran may do so afterwards.
	fragile := slices.ContainsFunc(w.Jobs, func(j Job) bool {
		return j.GPUsPerWorker > 1 || j.Site != "" || len(j.Takes) > 0
	})
	if w.plans++; fragile && len(again) > 0 {
		w.restless++
		return d
	}
	for _, r := range again {
		w.t.Errorf("at %v: the plan after acting on the plan gives %s %d workers, not %d (%s)", w.Now, r.Job, r.To, r.From,
			r.Reason)
	}
	return d
}

// shuffle plans again, with jobs and queues in another order: that changes nothing.
func (w *world) shuffle(d Decision) {
	w.t.Helper()
	s := w.Snapshot
	order := w.random.Perm(len(s.Jobs))
	s.Jobs = make([]Job, len(order))
	for to, from := range order {
		s.Jobs[to] = w.Jobs[from]
	}
	s.Queues = slices.Clone(s.Queues)
	w.random.Shuffle(len(s.Queues), func(i, k int) { s.Queues[i], s.Queues[k] = s.Queues[k], s.Queues[i] })
	again := Plan(s)
	for to, from := range order {
		if !reflect.DeepEqual(d.Jobs[from], again.Jobs[to]) {
			w.t.Fatalf("at %v: the same snapshot in another order gives another decision: %s",
				w.Now, gocmp.Diff(d.Jobs[from], again.Jobs[to]))
		}
	}
}

// spares checks that nobody is stopped who would go on if nobody gave back GPUs for a trial. What is given back may be
// the room on one node that a plan had lacked: who is stopped for that is stopped for the plan.
func (w *world) spares(d Decision) {
	w.t.Helper()
	without := w.Snapshot
	without.Jobs = slices.Clone(w.Jobs)
	for i := range without.Jobs {
		j := &without.Jobs[i]
		j.Tried = j.Tried || w.truth[j.Name] != nil && j.Workers == 0
	}
	otherwise := Plan(without).Jobs
	for i, o := range otherwise {
		if found := o.Workers < d.Jobs[i].Workers && len(d.Jobs[i].Reserved) > 0 && w.Jobs[i].GPUsPerWorker > 1; found {
			return
		}
	}
	for i, o := range otherwise {
		if w.Jobs[i].Workers > 0 && d.Jobs[i].Workers == 0 && o.Workers > 0 {
			w.t.Errorf("at %v: %s is stopped for a trial", w.Now, o.Name)
		}
	}
}

// sparesLent checks that a job which is lent what it has never grows, and gives that back only where promises of
// others, and what is guaranteed to those that ask, leave it less: it is not held without all other jobs either.
func (w *world) sparesLent(d Decision) {
	w.t.Helper()
	for i, o := range d.Jobs {
		j := w.Jobs[i]
		if !j.Lent || j.Workers == 0 || o.Workers == j.Workers {
			continue
		}
		if o.Workers > j.Workers {
			w.t.Errorf("at %v: %s grows from %d to %d, and is not to be interrupted", w.Now, j.Name, j.Workers, o.Workers)
			continue
		}
		without := w.Snapshot
		without.Jobs = slices.DeleteFunc(slices.Clone(w.Jobs), func(other Job) bool {
			keeps := other.Workers > 0 && (other.Lent || other.Uninterruptible)
			return !other.Promised && !keeps && !w.guarantees(other)
		})
		if without.Check() != nil {
			continue
		}
		for _, then := range Plan(without).Jobs {
			if then.Name == j.Name && then.Workers == j.Workers && strings.Contains(then.Why, ", and keeps its size ") {
				w.t.Errorf("at %v: %s gives back %d of %d for others who are neither promised nor guaranteed them", w.Now,
					j.Name, j.Workers-o.Workers, j.Workers)
			}
		}
	}
}

// guarantees says that something is guaranteed to the queue of a job.
func (w *world) guarantees(j Job) bool {
	return slices.ContainsFunc(w.Queues, func(q Queue) bool {
		return q.Name == j.Queue && q.Pool == j.Pool && q.Guaranteed > 0
	})
}

// hide lets nothing be known of a job.
func (w *world) hide(j Job) Job {
	w.truth[j.Name] = j.Sizes
	j.Sizes = slices.Clone(j.Sizes)
	for i := range j.Sizes {
		j.Sizes[i] = Size{Workers: j.Sizes[i].Workers}
	}
	return j
}

// hope lets nobody know how fast a job is at its largest size, but that it may well be as fast as it seemed. It may
// be slower than at the one before.
func (w *world) hope(j Job) Job {
	truth, told := slices.Clone(j.Sizes), slices.Clone(j.Sizes)
	last, s := &truth[len(truth)-1], &told[len(told)-1]
	is := Speed(0.5 + 0.6*w.random.Float64())
	*s = Size{Workers: s.Workers, Speed: s.Speed * 0.3, Expected: s.Speed * 0.5, Untried: s.Speed}
	*last = Size{Workers: last.Workers, Speed: last.Speed * is, Expected: last.Speed * is}
	w.truth[j.Name], j.Sizes = truth, told
	return j
}

// tells says that a job trains at a size by which it becomes known how fast it is.
func (w *world) tells(j Job) bool {
	return w.truth[j.Name] != nil && slices.ContainsFunc(j.Sizes, func(s Size) bool {
		return s.Workers == j.Workers && (s.Untried > 0 || s.Speed == 0)
	})
}

// toBeKnown is how long a job trains before something is known of it.
const toBeKnown = Seconds(5)

// knownAt is when something is known of a job, if its size stays.
func (w *world) knownAt(j Job) Seconds {
	if !w.tells(j) {
		return forever
	}
	return max(w.Now, j.BusyUntil) + toBeKnown - w.trained[j.Name]
}

func (w *world) act(d Decision) {
	w.t.Helper()
	w.Jobs = slices.Clone(w.Jobs)
	var moved []int
	for i, o := range d.Jobs {
		j := &w.Jobs[i]
		from := j.Pool
		*j = j.In(o.Pool)
		if o.Workers != j.Workers || o.Pool != from {
			*j = j.afterChange(o.Workers, w.Now)
			j.On = j.On[:min(len(j.On), int(j.Using(o.Workers)))]
			if o.Pool != from { // it was stopped, and starts elsewhere
				j.On = nil
			}
			j.Tried = j.Tried || o.Workers == 0
			moved = append(moved, i)
		}
		j.Promised, j.Reserved = o.Promised, o.Reserved
		if o.Keeps {
			j.Uninterruptible, j.Lent = true, false
		}
		if j.Promised {
			w.promised[j.Name] = *j.Deadline
			w.warned[j.Name] = w.warned[j.Name] || o.Verdict != OnTrack && w.Now <= *j.Deadline
		}
	}
	if w.places {
		w.schedule(moved)
	}
}

// schedule finds nodes for new workers: the greatest first, each on the fullest node that has room. Where jobs may not
// be on every node, it may take another order.
func (w *world) schedule(jobs []int) {
	w.t.Helper()
	slices.SortStableFunc(jobs, func(a, b int) int {
		return cmp.Compare(w.Jobs[b].GPUsPerWorker,
			w.Jobs[a].GPUsPerWorker)
	})
	before, r := slices.Clone(w.Jobs), rand.New(rand.NewPCG(1, 1))
	homeless := w.scheduleInOrder(jobs)
	for tries := 0; homeless != "" && (len(w.Sites) > 0 || w.rooms()) && tries < 200; tries++ {
		copy(w.Jobs, before)
		r.Shuffle(len(jobs), func(i, j int) { jobs[i], jobs[j] = jobs[j], jobs[i] })
		homeless = w.scheduleInOrder(jobs)
	}
	if homeless != "" {
		w.t.Fatalf("at %v: there is no node for one of the workers of %s", w.Now, homeless)
	}
}

// scheduleInOrder does so for one job after the other, and names the first that does not find nodes.
func (w *world) scheduleInOrder(jobs []int) (homeless string) {
	free := map[string]GPUs{}
	for _, n := range w.Nodes {
		free[n.Name] = n.GPUs
	}
	for _, j := range w.Jobs {
		for _, node := range j.On {
			free[node] -= max(j.GPUsPerWorker, 1)
		}
	}
	for _, i := range jobs {
		j := &w.Jobs[i]
		j.On = slices.Clone(j.On)
		for len(j.On) < int(j.Using(j.Workers)) {
			best := ""
			for _, n := range w.Nodes {
				if n.Pool == j.Pool && w.may(j, n.Name) && free[n.Name] >= max(j.GPUsPerWorker, 1) &&
					(best == "" || free[n.Name] < free[best]) {
					best = n.Name
				}
			}
			if best == "" {
				return j.Name
			}
			free[best] -= max(j.GPUsPerWorker, 1)
			j.On = append(j.On, best)
		}
	}
	return ""
}

// may says that one more worker of a job may be on a node.
func (w *world) may(j *Job, node string) bool {
	i := slices.IndexFunc(w.Sites, func(s Site) bool { return s.Name == j.Site })
	has := Workers(0)
	for _, on := range j.On {
		if on == node {
			has++
		}
	}
	return (i < 0 || has < w.Sites[i].Most[node]) && w.hasRoom(j, node)
}

// rooms says that nodes bound workers by more than GPUs.
func (w *world) rooms() bool {
	return slices.ContainsFunc(w.Nodes, func(n Node) bool { return len(n.Room) > 0 })
}

// hasRoom says that a node has what one more worker of a job takes beside GPUs.
func (w *world) hasRoom(j *Job, node string) bool {
	at := slices.IndexFunc(w.Nodes, func(n Node) bool { return n.Name == node })
	for name, has := range w.Nodes[at].Room {
		for i := range w.Jobs {
			for _, on := range w.Jobs[i].On {
				if on == node {
					has -= w.Jobs[i].Takes[name]
				}
			}
		}
		if has < j.Takes[name] {
			return false
		}
	}
	return true
}

func (w *world) size(j Job) Size {
	sizes := w.truth[j.Name]
	if sizes == nil {
		sizes = j.Sizes
	}
	for _, s := range sizes {
		if s.Workers == j.Workers {
			return s
		}
	}
	return Size{}
}

// speed is how fast a job trains in truth. What nobody expects anything of is a fifth slower than at
// best.
func (w *world) speed(j Job) Speed {
	s := w.size(j)
	return cmp.Or(s.Expected, s.Speed, s.Best*0.8)
}

// end is when the next job is finished, if sizes stay.
func (w *world) end() Seconds {
	end := forever
	for _, j := range w.Jobs {
		if speed := w.speed(j); speed > 0 {
			end = min(end, max(w.Now, j.BusyUntil)+Size{Speed: speed}.train(j.Left))
		}
	}
	return end
}

// advance trains until some moment.
func (w *world) advance(to Seconds) {
	w.Jobs = slices.Clone(w.Jobs)
	for i := range w.Jobs {
		j := &w.Jobs[i]
		trains := max(0, to-max(w.Now, j.BusyUntil))
		work := Work(float64(trains) * float64(w.speed(*j)))
		j.Left, j.Done = j.Left-work, j.Done+work
		if j.Workers > 0 {
			j.Trained += trains
		}
		if w.tells(*j) {
			if w.trained[j.Name] += trains; w.trained[j.Name] > toBeKnown-rounding {
				j.Sizes = w.truth[j.Name]
				delete(w.truth, j.Name)
			}
		}
		if j.Left < 1e-6 {
			w.finished[j.Name] = to
		}
		if every := Seconds(50); j.SavesAt > 0 && to >= j.SavesAt {
			j.SavedAt, j.SavesAt = to, to+every
		}
	}
	w.Jobs = slices.DeleteFunc(w.Jobs, func(j Job) bool { return j.Left < 1e-6 })
	for i := range w.Jobs {
		j := &w.Jobs[i]
		j.After = slices.DeleteFunc(slices.Clone(j.After), func(name string) bool {
			_, over := w.finished[name]
			return over
		})
	}
	w.Now = to
}

// run plans whenever a job is finished and whenever the planner wants to, until some moment or until
// nothing happens any more.
func (w *world) run(until Seconds) {
	w.t.Helper()
	for range 10_000 {
		d := w.plan()
		to := min(until, w.end())
		for _, j := range w.Jobs {
			to = min(to, w.knownAt(j))
		}
		if d.Wake != nil {
			to = min(to, *d.Wake)
		}
		if to == forever || w.t.Failed() {
			return
		}
		w.advance(to)
		if to == until {
			return
		}
	}
	w.t.Fatalf("at %v: there is no end to it, with %d jobs left", w.Now, len(w.Jobs))
}
