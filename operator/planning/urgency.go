package planning

import (
	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/coretime"
	"github.com/takt-dev/takt/operator/view"
)

// urge tells the scheduler how urgent a growth is: by the queue of the job, by the time that is left
// until its workers have to start, and by how long it has been waiting.
func (sc *Scene) urge(spec *v1alpha1.ResizeSpec, s *view.Subject, job elastic.Job, o elastic.Outcome) {
	for _, queue := range sc.queues {
		if queue.Name == job.Queue {
			spec.Priority = queue.Spec.Priority
		}
	}
	if at, dated := s.Deadline(); dated && o.ExpectedEnd != nil {
		spec.StartBy = v1alpha1.NewTime(sc.At.Add(at.Sub(coretime.Time(*o.ExpectedEnd))))
	}
	if spec.From > 0 {
		return
	}
	since := s.ElasticJob.CreationTimestamp
	if ran := meta.FindStatusCondition(s.ElasticJob.Status.Conditions, v1alpha1.ConditionRunning); ran != nil {
		since = ran.LastTransitionTime
	}
	spec.WaitingSince = v1alpha1.NewTime(since.Time)
}
