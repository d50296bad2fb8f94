package reporting

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/wording"
)

// hurdlesOf are the hurdles of a job at a moment. While a resize is under way, its record tells of pods that are young.
func hurdlesOf(s *view.Subject, now time.Time) []view.Hurdle {
	return slices.DeleteFunc(s.Hurdles(now), func(h view.Hurdle) bool {
		return s.Active() != nil && now.Sub(h.Pod.CreationTimestamp.Time) < startsWithin
	})
}

// cannotRun says which worker of a job cannot run, why, and what to do; empty if all can.
func cannotRun(hurdles []view.Hurdle) string {
	if len(hurdles) == 0 {
		return ""
	}
	h := hurdles[0]
	if len(hurdles) > 1 {
		return wording.Sentences(fmt.Sprintf("%s cannot run, such as %s (%s).", elastic.CountOf(len(hurdles), "worker"),
			h.Pod.Name, h.Why()), h.Do)
	}
	return wording.Sentences(fmt.Sprintf("Worker %s cannot run (%s).", h.Pod.Name, h.Why()), h.Do)
}

// running says whether workers of a job run; and which cannot, where that does not pass by itself, or takes long to.
func running(st *v1alpha1.ElasticJobStatus, s *view.Subject, now time.Time) metav1.Condition {
	c := condition(v1alpha1.ConditionRunning, st.Workers.Running > 0, "WorkersRun", "NoWorkers", run(st.Workers.Running))
	if s.Object == nil || s.Job.State != resize.JobGoesOn {
		return c
	}
	lasting := slices.DeleteFunc(hurdlesOf(s, now), func(h view.Hurdle) bool { return !h.Lasts })
	late := yetToRun(s, now)
	switch {
	case len(lasting) > 0:
		c.Reason, c.Message = memory.ReasonCannotRun, wording.Sentences(cannotRun(lasting), c.Message)
	case late != nil && s.Active() == nil:
		c.Reason, c.Message = memory.ReasonYetToRun, wording.Sentences(fmt.Sprintf("Worker %s does not run yet: kubectl "+
			"-n %s describe pod %s says why.", late.Name, late.Namespace, late.Name), c.Message)
	}
	return c
}

// hurdled has a job of which a worker cannot run say so first. How fast it is to be counts on all of them: if that does
// not pass, nobody can tell whether it is in time.
func hurdled(st *v1alpha1.ElasticJobStatus, hurdles []view.Hurdle) {
	lasts := slices.ContainsFunc(hurdles, func(h view.Hurdle) bool { return h.Lasts })
	if st.Verdict == v1alpha1.VerdictOnTrack && lasts {
		st.Verdict, st.Message = v1alpha1.VerdictAtRisk, "So nobody can tell whether it is still in time."
	}
	st.Message = wording.Sentences(cannotRun(hurdles), st.Message)
}

// crashing is how many workers count as running, and crash again and again.
func crashing(s *view.Subject, now time.Time) (many int32) {
	for _, h := range s.Hurdles(now) {
		if h.Lasts && h.Pod.Status.Phase == corev1.PodRunning {
			many++
		}
	}
	return many
}
