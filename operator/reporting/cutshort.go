package reporting

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/ending"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/wording"
)

// SaidCutShort says that a status tells already that the job was cut short.
func SaidCutShort(status *v1alpha1.ElasticJobStatus) bool {
	c := meta.FindStatusCondition(status.Conditions, v1alpha1.ConditionFailed)
	return c != nil && c.Reason == string(resize.JobIsCutShort)
}

// cutShortAt says so to people. What was said once stays, as the verdict does.
func cutShortAt(s *view.Subject, partsPerMillion int32) string {
	if SaidCutShort(&s.ElasticJob.Status) {
		return meta.FindStatusCondition(s.ElasticJob.Status.Conditions, v1alpha1.ConditionFailed).Message
	}
	at, next := "", ""
	if partsPerMillion > 0 {
		at = fmt.Sprintf(" at %d %%,", partsPerMillion/1e4)
	}
	if s.ElasticJob.Spec.Profile != "" {
		next = "Other jobs of its profile that have no agent are resized by a restart from now on."
	}
	return wording.Sentences(fmt.Sprintf("The job has ended%s while %s: a worker that was told to leave has exited with "+
		"0, which counts as the success of the whole job. Submit it again, with a training that exits with another code "+
		"when it is told to stop before its work is done.", at, whoLeft(s)), next)
}

// whoLeft says what workers left for when the job ended.
func whoLeft(s *view.Subject) string {
	switch left := s.Leaving(); {
	case left == nil || left.By == ending.ByTakt:
		return "Takt made it smaller"
	case left.By == ending.ByWorker:
		return fmt.Sprintf("somebody deleted its pod %s or drained the node of that", s.Known.Leaver().Pod)
	case left.To == 0:
		return "somebody stopped it"
	default:
		return fmt.Sprintf("somebody made it smaller, from %s to %d", elastic.CountOf(int(left.Workers), "worker"), left.To)
	}
}
