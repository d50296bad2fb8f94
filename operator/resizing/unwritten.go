package resizing

import (
	"slices"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/view"
)

// A line of a record that nothing depends on may wait for the next one, so that both are one write. Where pods start
// in a moment, most of a record is written at once.
const (
	// tellWithin is for how long the first line of a record may wait that nobody else tells, and any that is of a resize
	// which a process before this one has begun: were that one to end soon as well, nobody would ever know since when it
	// is so.
	tellWithin = 5 * time.Second
	// tellRarely is for how long the others may, of which somebody else tells meanwhile: the ElasticJob that the resize is
	// under way, and the job since when it was asked for its size. It is longer than a scheduler usually looks for room,
	// so that a resize which finds none is written about once, as it turns round; and far shorter than schedulers wait for
	// a word of a resize before they take it for abandoned.
	tellRarely = 3 * time.Minute
)

// Unwritten are the lines that are known of the records of resizes that are under way, and not written yet.
// They may be lost: who looks at the job again finds the same. They are found by the names of the records: of one that
// was deleted nothing else is known.
type Unwritten struct {
	mu sync.Mutex
	of map[types.NamespacedName]linesOf
}

// NewUnwritten are those of a process that has just started.
func NewUnwritten() *Unwritten { return &Unwritten{of: map[types.NamespacedName]linesOf{}} }

// linesOf are those of one record.
type linesOf struct {
	record types.UID
	begun  bool // this process has seen the resize from the beginning
	lines  []metav1.Condition
}

// begins takes that nothing has been done yet for a record.
func (u *Unwritten) begins(r *v1alpha1.Resize) {
	u.mu.Lock()
	defer u.mu.Unlock()
	held := u.heldOf(r)
	held.begun = true
	u.of[client.ObjectKeyFromObject(r)] = held
}

// heldOf is what is held of a record, for whoever holds the lock: nothing of an earlier one of its name.
func (u *Unwritten) heldOf(r *v1alpha1.Resize) linesOf {
	if held := u.of[client.ObjectKeyFromObject(r)]; held.record == r.UID {
		return held
	}
	return linesOf{record: r.UID}
}

// onto adds the lines that a record lacks.
func (u *Unwritten) onto(r *v1alpha1.Resize) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, line := range u.heldOf(r).lines {
		if meta.FindStatusCondition(r.Status.Conditions, line.Type) == nil {
			r.Status.Conditions = append(r.Status.Conditions, line)
		}
	}
}

// hold keeps the lines that a record has got since it was read, if all of them may wait, and says how
// long they may.
func (u *Unwritten) hold(before, r *v1alpha1.Resize, agent bool, now time.Time) (time.Duration, bool) {
	added, record := r.Status.Conditions[len(before.Status.Conditions):], view.Record(r)
	if len(added) == 0 || slices.ContainsFunc(added, func(c metav1.Condition) bool {
		return !record.MayWait(resize.ConditionType(c.Type), agent)
	}) {
		return 0, false
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	held, wait := u.heldOf(r), tellRarely
	for _, line := range added {
		wait = min(wait, line.LastTransitionTime.Add(held.within(before, record, line)).Sub(now))
	}
	if wait <= 0 {
		return 0, false
	}
	held.lines = slices.Clone(added)
	u.of[client.ObjectKeyFromObject(r)] = held
	return wait, true
}

// within is for how long a line may wait. A job that is asked first tells itself that it was, and since when: a process
// that comes later writes the same down. One that goes through zero is asked twice, which is as many writes as the
// others make with a first line.
func (h linesOf) within(before *v1alpha1.Resize, record resize.Record, line metav1.Condition) time.Duration {
	told := line.Type == v1alpha1.ConditionProposed && record.AsksFirst()
	if told || h.begun && (record.ThroughZero() || len(before.Status.Conditions) > 0) {
		return tellRarely
	}
	return tellWithin
}

// forget is called once the lines of a record are written.
func (u *Unwritten) forget(r *v1alpha1.Resize) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if held := u.heldOf(r); held.begun {
		u.of[client.ObjectKeyFromObject(r)] = linesOf{record: r.UID, begun: true}
	} else {
		delete(u.of, client.ObjectKeyFromObject(r))
	}
}

// Records is how many there are of which lines are held.
func (u *Unwritten) Records() int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return len(u.of)
}

// end is called once nobody will ever write a line of a record.
func (u *Unwritten) end(record types.NamespacedName) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.of, record)
}
