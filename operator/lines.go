package operator

import (
	"slices"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// tellWithin is how long a line of a record that nothing depends on may wait for the next one, so that
// both are one write. Where pods start in a moment, most of a record is written at once.
const tellWithin = 5 * time.Second

// lines are those that are known of the records of resizes that are under way, and not written yet.
// They may be lost: who looks at the job again finds the same.
type lines struct {
	mu   sync.Mutex
	held map[types.UID]heldLines
}

type heldLines struct {
	since time.Time
	lines []metav1.Condition
}

// mayWait says that a line tells only how far the way has come. The others say that there is no way
// back any more, or which way is taken: these are written before they are acted upon.
func mayWait(line metav1.Condition) bool {
	switch line.Type {
	case v1alpha1.ConditionProposed, v1alpha1.ConditionPlaced, v1alpha1.ConditionReady:
		return true
	default:
		return false
	}
}

// onto adds the lines that a record lacks.
func (l *lines) onto(r *v1alpha1.Resize) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, line := range l.held[r.UID].lines {
		if meta.FindStatusCondition(r.Status.Conditions, line.Type) == nil {
			r.Status.Conditions = append(r.Status.Conditions, line)
		}
	}
}

// hold keeps the lines that a record has got since it was read, if all of them may wait, and says how
// long they may.
func (l *lines) hold(before, r *v1alpha1.Resize, now time.Time) (time.Duration, bool) {
	added := r.Status.Conditions[len(before.Status.Conditions):]
	if len(added) == 0 || slices.ContainsFunc(added, func(c metav1.Condition) bool { return !mayWait(c) }) {
		return 0, false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	held, ok := l.held[r.UID]
	if !ok {
		held.since = now
	}
	wait := held.since.Add(tellWithin).Sub(now)
	if wait <= 0 {
		return 0, false
	}
	l.held[r.UID] = heldLines{held.since, slices.Clone(added)}
	return wait, true
}

// forget is called once the lines of a record are written, or nobody will ever write them.
func (l *lines) forget(record types.UID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.held, record)
}
