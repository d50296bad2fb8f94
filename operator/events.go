package operator

import (
	"fmt"
	"sync"

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
// is left out.
type recorder struct {
	sink events.EventRecorder

	mu   sync.Mutex
	last map[types.UID]string
}

// mostRemembered bounds what is remembered; beyond it all is forgotten, and said again at worst.
const mostRemembered = 50_000

func newRecorder(sink events.EventRecorder) *recorder {
	return &recorder{sink: sink, last: map[types.UID]string{}}
}

func (r *recorder) tell(about client.Object, kind, reason, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	r.mu.Lock()
	said := r.last[about.GetUID()] == reason+text
	if len(r.last) >= mostRemembered {
		clear(r.last)
	}
	r.last[about.GetUID()] = reason + text
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
	if old.Verdict != status.Verdict {
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
