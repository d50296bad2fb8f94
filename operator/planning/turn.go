package planning

import (
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/coretime"
	"github.com/takt-dev/takt/operator/view"
)

// turnOf is since when a job waits, and until when its turn lasts. All of that is on record, so that a fresh process
// knows it.
func turnOf(s *view.Subject, most time.Duration) (since, until elastic.Seconds) {
	could := s.ElasticJob.CreationTimestamp.Time
	for _, before := range s.Succeeded {
		if at, err := before.SucceededAt.Time(); err == nil && at.After(could) {
			could = at
		}
	}
	var past []elastic.Sized
	for _, r := range s.Past {
		sized := elastic.Sized{From: elastic.Workers(r.Spec.From), To: elastic.Workers(r.Spec.To),
			Begun: coretime.Seconds(r.CreationTimestamp.Time)}
		if end := r.Ending(); end != nil {
			if end.Type != v1alpha1.ConditionSucceeded {
				continue
			}
			sized.Ended = new(coretime.Seconds(end.LastTransitionTime.Time))
		}
		past = append(past, sized)
	}
	return elastic.TurnOf(coretime.Seconds(could), past, elastic.Seconds(most.Seconds()))
}
