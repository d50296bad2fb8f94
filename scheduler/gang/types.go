package gang

import (
	"cmp"
	"fmt"
	"time"

	"github.com/takt-dev/takt/scheduler/order"
)

// UID is the UID of a pod.
type UID string

// Change is a resize of a job. Its gangs are one for each way that it has turned.
type Change struct {
	Namespace, Job string
	Epoch          int64
}

// Name is that of the Resize.
func (c Change) Name() string { return fmt.Sprintf("%s-%d", c.Job, c.Epoch) }

// Compare sorts changes, by name.
func (c Change) Compare(d Change) int {
	return cmp.Or(cmp.Compare(c.Namespace, d.Namespace), cmp.Compare(c.Job, d.Job), cmp.Compare(c.Epoch, d.Epoch))
}

// at is the change of the same job in another epoch.
func (c Change) at(epoch int64) Change { return Change{c.Namespace, c.Job, epoch} }

// SameJob says that another change is one of the same job.
func (c Change) SameJob(d Change) bool { return c.job() == d.job() }

// job is the job that is resized.
func (c Change) job() job { return job{c.Namespace, c.Job} }

// ID is a gang.
type ID struct {
	Change
	Stage string
	// Alone is set for a pod that is placed by itself: it replaces one that was lost.
	Alone UID
}

// Declared is what a pod says of its gang. Epoch is 0 if it says nothing.
type Declared struct {
	Epoch int64
	Stage string
	First int // index of its first worker
	Pods  int
}

// Pod is a pod of a job, as it was last seen.
type Pod struct {
	UID      UID
	Name     string
	Change   Change
	Declared Declared
	// Owner is what has made the pod, and makes another in its place; empty if nothing has.
	Owner UID
	// Leader is the leader of the job, Index the replica index of any other pod.
	Leader  bool
	Index   int
	Node    string // that it is bound to
	Leaving bool   // it is being deleted, or is told to go
	Runs    bool   // its containers were started: its node has taken it
	Gated   bool   // somebody does not want it to be placed yet
	// Late says that its template cannot be changed while the job runs: what it says of its gang may be of an earlier
	// change than the pod.
	Late bool
	Made time.Time
	// Generation changes with what the pod asks for.
	Generation int64
}

// Record is a Resize, as it was last seen.
type Record struct {
	// Pods is how many the job has at most, before it and after, and once it has succeeded, after it; 0 if that is
	// not known.
	Pods int
	// Kept is how many the job has at least, before it and after. Those of higher indices come or go.
	Kept int
	// Anew says that all of its pods are stopped, and others are started in their place.
	Anew bool
	// Leaving is the lowest index of those that are told to leave, as the job is made smaller; 0 if none are.
	Leaving int
	// Over says that it has ended, in whatever way. Its pods are on their own then.
	Over bool
	// TurnedRound says that it is on its way back: what was to come forward is not placed any more.
	TurnedRound bool
	// Fewer is how many pods fewer are wanted than was declared, as it has settled for less.
	Fewer   int
	Urgency order.Urgency
	// Until is when it counts as abandoned, unless it changes before: whoever carries it out is gone, and it is
	// as if it were not there. Zero is never.
	Until time.Time
}

func (r Record) abandoned(now time.Time) bool { return !r.Until.IsZero() && !now.Before(r.Until) }

// forward is the stage in which a resize begins.
const forward = "Forward"

// unmarked is the epoch of pods whose template says nothing of the change that they have come for: the operator marks
// them in a moment. There is no Resize of this epoch, so that they wait for that, as long as pods wait for a Resize.
const unmarked = 0

// id is the gang that a pod belongs to.
func (b *Book) id(p *Pod) ID {
	d := p.Declared
	record, known := b.records[p.Change]
	switch {
	case b.unmarked(p):
		return ID{Change: p.Change.at(unmarked), Stage: d.Stage}
	case d.Epoch != p.Change.Epoch, known && record.Over:
	case p.Leader && d.First > 0, !p.Leader && p.Index < d.First:
	default:
		return ID{Change: p.Change, Stage: d.Stage}
	}
	return ID{Change: p.Change, Alone: p.UID}
}

// Unmarked says that a pod waits for the operator to mark it.
func (b *Book) Unmarked(uid UID) bool { return b.pods[uid] != nil && b.unmarked(b.pods[uid]) }

// unmarked says that a pod has come for a later change than its template says: its index is above those of its gang, or
// among those that a change under way brings about.
func (b *Book) unmarked(p *Pod) bool {
	if !p.Late || p.Node != "" || p.Declared.Epoch != p.Change.Epoch {
		return false
	}
	if p.Index >= p.Declared.First+p.Declared.Pods {
		return true
	}
	epoch := b.underWay[p.Change.job()]
	r := b.records[p.Change.at(epoch)]
	return epoch > p.Change.Epoch && r.Kept > 0 && r.Kept <= p.Index && p.Index < r.Pods
}

// Effects are what is to be done after something has happened.
type Effects struct {
	// Reject are pods that hold a node and wait for their gang: they must let go of it.
	Reject []UID
	// Forget are pods that a node is kept for.
	Forget []UID
	// Wake are pods to be brought into the queue.
	Wake []UID
	// Freed says that nodes are not kept any more which others had no chance of: all that wait are to be
	// brought into the queue.
	Freed bool
	// Why they must let go, in a sentence.
	Why string
	// Unknown are pods, one for each gang, that wait for a Resize which is not there.
	Unknown []UID
	// Placed are gangs of which the last pod has just reserved its node, and then those of which the last was bound.
	Placed []Placed
}

// Placed is a gang of which all pods have a node.
type Placed struct {
	Change Change
	Bound  bool
	Nodes  map[string]int // with how many of its pods
	Since  time.Time      // all of them were there
	Told   bool           // there is a Resize that waits to hear of it
}
