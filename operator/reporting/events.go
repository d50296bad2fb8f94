package reporting

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/view"
)

// tell makes events of what has changed in a status, once it is written.
func (r *Reporter) tell(s *view.Subject, old, status *v1alpha1.ElasticJobStatus) {
	// Why a job is left alone is told below.
	if old.Verdict != status.Verdict && status.Verdict != v1alpha1.VerdictLeftAlone {
		kind := corev1.EventTypeNormal
		switch status.Verdict {
		case v1alpha1.VerdictAtRisk, v1alpha1.VerdictInfeasible, v1alpha1.VerdictMissed:
			kind = corev1.EventTypeWarning
		default:
		}
		r.Events.Tell(s.ElasticJob, kind, string(status.Verdict), "%s", status.Message)
	}
	before, after := ConditionOf(old), ConditionOf(status)
	if before.Reason != after.Reason && after.Status == "False" {
		r.Events.Warn(s.ElasticJob, after.Reason, "%s", after.Message)
	}
	if SaidCutShort(status) && !SaidCutShort(old) {
		r.Metrics.Cut(s.ElasticJob.Spec.Queue)
	}
	if old.Verdict != status.Verdict && (status.Verdict == v1alpha1.VerdictMet ||
		status.Verdict == v1alpha1.VerdictMissed) {
		if old.Verdict != v1alpha1.VerdictMissed {
			r.Metrics.Judged(s.ElasticJob.Spec.Queue, status.Verdict)
		}
	}
	if status.Over() && !old.Over() && status.Deadline != "" {
		if cost, known := status.Cost.SoFar.Float(); known {
			r.Metrics.Paid(s.ElasticJob.Spec.Queue, status.Verdict, cost)
		}
	}
}
