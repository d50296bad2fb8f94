package reporting

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/wording"
)

// startsWithin is how long pods may take to run before anybody is told to look why they do not.
const startsWithin = time.Minute

// inWait says of a job none of whose workers runs what it waits for: its turn, as it was decided, or its pods. While a
// resize is under way that is as it should be, and its record tells of it, unless the pods take long.
func inWait(s *view.Subject, d *elastic.Outcome, now time.Time) string {
	resizing := s.Active() != nil
	if !resizing && (s.Size() == 0 || d.Workers == 0) {
		return elastic.ToHave(d.Why)
	}
	var there, waits *corev1.Pod
	for _, w := range s.Pods {
		switch {
		case w.Pod.DeletionTimestamp != nil:
		case w.Pod.Status.Phase == corev1.PodPending && waits == nil:
			there, waits = w.Pod, w.Pod
		case there == nil:
			there = w.Pod
		}
	}
	switch {
	case resizing && (waits == nil || now.Sub(waits.CreationTimestamp.Time) < startsWithin):
		return ""
	case there == nil:
		return "It has no pods yet."
	case waits == nil:
		return fmt.Sprintf("None of its pods runs: see kubectl -n %s describe pod %s.", there.Namespace, there.Name)
	}
	if waited := now.Sub(waits.CreationTimestamp.Time); waited >= startsWithin {
		return fmt.Sprintf("Its pods do not run yet, after %s: kubectl -n %s describe pod %s says why.", wording.Span(waited),
			waits.Namespace, waits.Name)
	}
	return "Its pods do not run yet."
}

// workerYetToRun says of a job of which some workers run which one does not, once that takes long.
func workerYetToRun(s *view.Subject, now time.Time) string {
	late := yetToRun(s, now)
	if late == nil {
		return ""
	}
	return fmt.Sprintf("Worker %s does not run yet, after %s: kubectl -n %s describe pod %s says why.", late.Name,
		wording.Span(now.Sub(late.CreationTimestamp.Time)), late.Namespace, late.Name)
}

// yetToRun is a pod of a job that takes long to run; nil if none does.
func yetToRun(s *view.Subject, now time.Time) *corev1.Pod {
	for _, w := range s.Pods {
		waited := now.Sub(w.Pod.CreationTimestamp.Time)
		if w.Pod.DeletionTimestamp == nil && w.Pod.Status.Phase == corev1.PodPending && waited >= startsWithin {
			return w.Pod
		}
	}
	return nil
}
