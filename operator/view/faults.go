package view

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/shorthand"
	"github.com/takt-dev/takt/operator/wording"
)

// Said is what is written for Takt on the job of an ElasticJob.
func (v *Viewer) Said(s *Subject) shorthand.Said {
	said := shorthand.Read(s.Job.Labels, s.Job.Annotations, v.Zone).Of(s.Job.Name)
	return said.OnPods(s.Job.Worker, s.Job.Leader).AsOf(v.Now())
}

// misspelt refuses a job that was not taken on yet while nobody can tell what is written on it. One that
// was goes on as it did: a slip of a pen costs no promise.
func misspelt(o *Viewer) func(*Subject) *Refusal {
	return func(s *Subject) *Refusal {
		if s.ElasticJob.Labels[shorthand.MadeLabel] == "" || TakenOn(&s.ElasticJob.Status) {
			return nil
		}
		said := o.Said(s)
		for _, fault := range said.Faults {
			if fault.OfValue() || !speaks(s) {
				return &Refusal{ReasonMisspelt, wording.Sentences(shorthand.Sentences(said.Faults), asksNothing(said))}
			}
		}
		return nil
	}
}

// asksNothing says what asks Takt to look after a job, where nothing on it does, whatever it was meant to be.
func asksNothing(said shorthand.Said) string {
	if said.Asks {
		return ""
	}
	return fmt.Sprintf("Takt looks after jobs with %s or %s.", shorthand.DeadlineAnnotation, shorthand.QueueLabel)
}

// speaks says whether a job has a key that asks Takt to look after it, and not only one that resembles it.
func speaks(s *Subject) bool {
	_, queued := s.Job.Labels[shorthand.QueueLabel]
	_, dated := s.Job.Annotations[shorthand.DeadlineAnnotation]
	return queued || dated
}

// TakenOn says whether a job was ever found fit to be planned for.
func TakenOn(status *v1alpha1.ElasticJobStatus) bool {
	admitted := meta.FindStatusCondition(status.Conditions, v1alpha1.ConditionAdmitted)
	return admitted != nil && (admitted.Status != metav1.ConditionFalse || OfPlan(admitted.Reason))
}

// OfPlan says whether it is the plan that keeps a job from being admitted, and not a refusal.
func OfPlan(reason string) bool {
	return strings.HasPrefix(reason, memory.ReasonPredecessor) ||
		slices.Contains([]string{string(elastic.AfterOthers), string(elastic.NotPromised), string(elastic.NoSizes),
			memory.ReasonQuota, memory.ReasonNoNode}, reason)
}
