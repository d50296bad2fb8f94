package operator

import (
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// recorder tells people what happens, once: an event that says of an object what the last one said
// is left out, while that one can still be read.
type recorder struct {
	sink events.EventRecorder
	now  func() time.Time

	mu   sync.Mutex
	last map[types.UID]saying
}

// saying is what was last said of an object, and when.
type saying struct {
	text string
	at   time.Time
}

// eventLives is how long an event can be read at least: API servers drop them, by default after an hour.
const eventLives = 45 * time.Minute

// mostRemembered bounds what is remembered; beyond it all is forgotten, and said again at worst.
const mostRemembered = 50_000

func newRecorder(sink events.EventRecorder, now func() time.Time) *recorder {
	return &recorder{sink: sink, now: now, last: map[types.UID]saying{}}
}

func (r *recorder) tell(about client.Object, kind, reason, format string, args ...any) {
	text, now := fmt.Sprintf(format, args...), r.now()
	r.mu.Lock()
	last := r.last[about.GetUID()]
	said := last.text == reason+text && now.Sub(last.at) < eventLives
	if len(r.last) >= mostRemembered {
		clear(r.last)
	}
	if !said {
		r.last[about.GetUID()] = saying{reason + text, now}
	}
	r.mu.Unlock()
	if !said {
		r.sink.Eventf(about.(runtime.Object), nil, kind, reason, "Takt", "%s", text)
	}
}

func (r *recorder) warn(about client.Object, reason, format string, args ...any) {
	r.tell(about, corev1.EventTypeWarning, reason, format, args...)
}

// tell makes events of what has changed in a status, once it is written.
func (o *Operator) tell(s *subject, old, status *v1alpha1.ElasticJobStatus) {
	// Why a job is left alone is told below.
	if old.Verdict != status.Verdict && status.Verdict != v1alpha1.VerdictLeftAlone {
		kind := corev1.EventTypeNormal
		switch status.Verdict {
		case v1alpha1.VerdictAtRisk, v1alpha1.VerdictInfeasible, v1alpha1.VerdictMissed:
			kind = corev1.EventTypeWarning
		default:
		}
		o.events.tell(s.ej, kind, string(status.Verdict), "%s", status.Message)
	}
	before, after := conditionOf(old), conditionOf(status)
	if before.Reason != after.Reason && after.Status == "False" {
		o.events.warn(s.ej, after.Reason, "%s", after.Message)
	}
	if saidCutShort(status) && !saidCutShort(old) {
		o.metrics.cut(s.ej.Spec.Queue)
	}
	if old.Verdict != status.Verdict && (status.Verdict == v1alpha1.VerdictMet || status.Verdict == v1alpha1.VerdictMissed) {
		if old.Verdict != v1alpha1.VerdictMissed {
			o.metrics.judged(s.ej.Spec.Queue, status.Verdict)
		}
	}
}

// conditionOf is the condition that says whether the job may run.
func conditionOf(status *v1alpha1.ElasticJobStatus) metav1.Condition {
	if c := meta.FindStatusCondition(status.Conditions, v1alpha1.ConditionAdmitted); c != nil {
		return *c
	}
	return metav1.Condition{}
}
