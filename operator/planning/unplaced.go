package planning

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/wording"
)

// unplaced says what hinders a job that was started, and not by Takt, of whose workers none has come to a node though
// there has been room for all of them for a while: others have its GPUs until one does. A start of Takt's own is taken
// back then, and room is made for one that its scheduler says lacks GPUs.
func (p *Planner) unplaced(s *view.Subject, fits []capacity.Fit, sc *Scene) (memory.Hindrance, bool) {
	room, placed, lacks, said := elastic.Workers(0), false, false, ""
	for _, fit := range fits {
		room += fit.Room
	}
	for _, w := range s.Pods {
		_, lacksGPUs := p.GPUs.LacksSince(w.Pod)
		placed, lacks = placed || w.Pod.Spec.NodeName != "", lacks || lacksGPUs
		if said == "" {
			said = unschedulable(w.Pod)
		}
	}
	if s.Active() != nil || s.Size() == 0 || placed || lacks {
		s.Known.UsesRoom()
		return memory.Hindrance{}, false
	}
	within := p.Limits.PlaceWithin
	told := meta.FindStatusCondition(s.ElasticJob.Status.Conditions, v1alpha1.ConditionResizing)
	if told != nil && told.Reason == memory.ReasonUnplaced { // by a process that is gone, maybe
		s.Known.HasLeftRoom()
	}
	since, left := s.Known.LeavesRoom(room >= elastic.Workers(s.Size()), within, sc.At)
	if !left {
		sc.later.meet(since.Add(within))
		return memory.Hindrance{}, false
	}
	says := fmt.Sprintf("There was room for its workers for %s, and none of them has come to a node.",
		wording.Span(within))
	switch {
	case len(s.Pods) == 0:
		says = fmt.Sprintf("There was room for its workers for %s, and nobody has created their pods: look at the events "+
			"of the job, and whether there is a ResourceQuota.", wording.Span(within))
	case said != "":
		says += fmt.Sprintf(" Their scheduler says: %q.", said)
	}
	says += " Others have its GPUs until it can use them."
	return memory.Hindrance{Reason: memory.ReasonUnplaced, Message: says}, true
}

// unschedulable is why a pod has no node, as its scheduler says.
func unschedulable(pod *corev1.Pod) string {
	for _, c := range pod.Status.Conditions {
		if c.Type == corev1.PodScheduled && c.Status == corev1.ConditionFalse {
			return wording.ClipTo(strings.TrimSuffix(strings.Join(strings.Fields(c.Message), " "), "."), longestSaid)
		}
	}
	return ""
}

// longestSaid is how much is passed on of what a scheduler says, in bytes.
const longestSaid = 200
