package reporting

import (
	"fmt"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/view"
)

// queueOfDeadline is the queue that a deadline comes from which nobody has written on the job.
func queueOfDeadline(s *view.Subject) string {
	switch {
	case s.HasOwnDeadline():
		return ""
	case s.DeadlineStands():
		return s.ElasticJob.Status.DeadlineQueue
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
