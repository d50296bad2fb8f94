package reporting

import (
	"fmt"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/view"
)

// queueOfDeadline is the queue that a deadline comes from which nobody has written on the job.
func queueOfDeadline(s *view.Subject) string {
	switch st := s.ElasticJob.Status; {
	case s.HasOwnDeadline():
		return ""
	case st.DeadlineQueue != "" && (st.Over() || st.Promised != ""): // it stands, whatever has become of the queue
		return st.DeadlineQueue
	}
	return s.ElasticJob.Spec.Queue
}

// ofItsQueue says where such a deadline comes from.
func ofItsQueue(st *v1alpha1.ElasticJobStatus) string {
	if st.DeadlineQueue == "" {
		return ""
	}
	return fmt.Sprintf("Its deadline is the one that queue %s gives its jobs.", st.DeadlineQueue)
}
