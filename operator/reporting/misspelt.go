package reporting

import (
	"maps"
	"strings"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/shorthand"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/wording"
)

// longestNote leaves room for the verdict beside it.
const longestNote = 640

// OnTheJob begins what a message says of what is written on the job.
const OnTheJob = "On the job: "

// noteMisspelt adds to a status what on the job cannot be used or does not count, and what to write. It is
// there for as long as that is.
func (r *Reporter) noteMisspelt(st *v1alpha1.ElasticJobStatus, s *view.Subject, refused *view.Refusal) {
	if s.Object == nil || s.Taken != nil || s.Job.State != resize.JobGoesOn {
		return
	}
	said := r.View.Said(s)
	st.Summary.Misspelt = shorthand.Keys(said.Faults)
	if refused != nil && refused.Reason == view.ReasonMisspelt {
		return // it is all that the message says
	}
	note := shorthand.Sentences(said.Faults)
	for _, fault := range said.Faults {
		if fault.OfValue() && !fault.Spares {
			note = wording.Sentences(note, "Until that is put right, the job is as it was, or without it.")
			break
		}
	}
	note = wording.Sentences(append([]string{note}, r.overruled(s, said)...)...)
	if note == "" {
		return
	}
	note = " " + OnTheJob + wording.ClipTo(note, longestNote)
	st.Message = wording.ClipTo(st.Message, wording.LongestMessage-len(note)) + note
}

// overruled is what on the job does not count, since the ElasticJob says something else.
func (r *Reporter) overruled(s *view.Subject, said shorthand.Said) []string {
	says := maps.Clone(said.Fields)
	if said.Due != nil {
		at, found := said.Due.Fixed()
		if !found {
			at, found = shorthand.DecodeMoment(s.Job.UID, said.Deadline, s.Job.Annotations)
		}
		if found {
			says[shorthand.Deadline] = string(v1alpha1.NewTime(at))
		}
	}
	if len(says) == 0 {
		return nil
	}
	return said.Overruled(says, shorthand.Of(&s.ElasticJob.Spec), shorthand.OwnersOf(s.ElasticJob))
}

// noteOf is what a message says of what is written on the job.
func noteOf(message string) string {
	_, note, _ := strings.Cut(message, OnTheJob)
	return note
}

// withoutNote is a message without what it says of what is written on the job.
func withoutNote(message string) string {
	before, _, _ := strings.Cut(message, " "+OnTheJob)
	return before
}
