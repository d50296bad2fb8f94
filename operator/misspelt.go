package operator

import (
	"fmt"
	"maps"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/shorthand"
	"github.com/takt-dev/takt/operator/wording"
)

// said is what is written for Takt on the job of an ElasticJob.
func (o *Operator) said(s *subject) shorthand.Said {
	return shorthand.Read(s.job.Labels, s.job.Annotations, o.settings.Zone())
}

// misspelt refuses a job that was not taken on yet while nobody can tell what is written on it. One that
// was goes on as it did: a slip of a pen costs no promise.
func misspelt(o *Operator) func(*subject) *refusal {
	return func(s *subject) *refusal {
		if s.ej.Labels[shorthand.MadeLabel] == "" || takenOn(&s.ej.Status) {
			return nil
		}
		said := o.said(s)
		for _, fault := range said.Faults {
			if fault.OfValue() || !speaks(s) {
				return &refusal{reasonMisspelt, wording.Sentences(shorthand.Sentences(said.Faults), asksNothing(said))}
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
func speaks(s *subject) bool {
	_, queued := s.job.Labels[shorthand.QueueLabel]
	_, dated := s.job.Annotations[shorthand.DeadlineAnnotation]
	return queued || dated
}

// takenOn says whether a job was ever found fit to be planned for.
func takenOn(status *v1alpha1.ElasticJobStatus) bool {
	admitted := meta.FindStatusCondition(status.Conditions, v1alpha1.ConditionAdmitted)
	return admitted != nil && (admitted.Status != metav1.ConditionFalse || ofPlan(admitted.Reason))
}

// longestNote leaves room for the verdict beside it.
const longestNote = 640

// onTheJob begins what a message says of what is written on the job.
const onTheJob = "On the job: "

// noteMisspelt adds to a status what on the job cannot be used or does not count, and what to write. It is
// there for as long as that is.
func (o *Operator) noteMisspelt(st *v1alpha1.ElasticJobStatus, s *subject, refused *refusal) {
	if s.object == nil || s.taken != nil || s.job.State != resize.JobGoesOn {
		return
	}
	said := o.said(s)
	st.Summary.Misspelt = shorthand.Keys(said.Faults)
	if refused != nil && refused.reason == reasonMisspelt {
		return // it is all that the message says
	}
	note := shorthand.Sentences(said.Faults)
	for _, fault := range said.Faults {
		if fault.OfValue() {
			note = wording.Sentences(note, "Until that is put right, the job is as it was, or without it.")
			break
		}
	}
	note = wording.Sentences(append([]string{note}, o.overruled(s, said)...)...)
	if note == "" {
		return
	}
	note = " " + onTheJob + wording.ClipTo(note, longestNote)
	st.Message = wording.ClipTo(st.Message, wording.LongestMessage-len(note)) + note
}

// overruled is what on the job does not count, since the ElasticJob says something else.
func (o *Operator) overruled(s *subject, said shorthand.Said) []string {
	says := maps.Clone(said.Fields)
	if said.Due != nil {
		at, found := said.Due.Fixed()
		if !found {
			at, found = shorthand.DecodeMoment(s.job.UID, said.Deadline, s.job.Annotations)
		}
		if found {
			says[shorthand.Deadline] = string(v1alpha1.NewTime(at))
		}
	}
	if len(says) == 0 {
		return nil
	}
	return said.Overruled(says, shorthand.Of(&s.ej.Spec), shorthand.OwnersOf(s.ej))
}

// noteOf is what a message says of what is written on the job.
func noteOf(message string) string {
	_, note, _ := strings.Cut(message, onTheJob)
	return note
}

// withoutNote is a message without what it says of what is written on the job.
func withoutNote(message string) string {
	before, _, _ := strings.Cut(message, " "+onTheJob)
	return before
}
