package operator

import (
	"fmt"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
)

// cutShort says that a job which counts as finished was not: a worker that was told to leave has exited with
// 0, and training-operator takes that for the success of all. It goes by what was last said of the job: it ended
// in less than half of the time that it was going to take, while it was made smaller.
func (s *subject) cutShort() bool {
	if s.object == nil || s.job.State != resize.JobFinished {
		return false
	}
	read, errRead := s.ej.Status.Progress.ObservedAt.Time()
	expected, errExpected := s.ej.Status.Prediction.ETA.Time()
	if errRead != nil || errExpected != nil || s.job.EndedAt.Sub(read) >= expected.Sub(read)/2 {
		return false
	}
	for _, r := range s.past {
		end := ending(r)
		leaving := r.Spec.To < r.Spec.From && r.Spec.To > 0 && r.Spec.Mode == v1alpha1.ResizeLive
		if leaving && !r.CreationTimestamp.After(s.job.EndedAt) && (end == nil || !end.LastTransitionTime.Time.Before(s.job.EndedAt)) {
			return true
		}
	}
	return false
}

// cutShortAt says so to people.
func cutShortAt(partsPerMillion int32) string {
	return fmt.Sprintf("The job has ended at %d %%, while Takt made it smaller: a worker that was told to leave has exited with 0, "+
		"which counts as the success of the whole job. Submit it again, with a training that exits with another code when it is "+
		"told to stop before its work is done.", partsPerMillion/1e4)
}
