package keeping

import (
	"strings"

	"github.com/takt-dev/takt/operator/shorthand"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/wording"
)

// tellFaults says on the job what of it cannot be used, with what the API server has to say about it.
func (k *Keeper) tellFaults(w *Written, refused string) {
	told := wording.Sentences(shorthand.Sentences(w.said.Faults), refused)
	if told != "" {
		w.faulty = true
		k.Events.Warn(w.Object, view.ReasonMisspelt, "What is written on the job cannot be used: %s", told)
	}
}

// tellIdle says of a job that nobody looks after which words on it are about how it is to be looked after.
func (k *Keeper) tellIdle(w *Written) {
	if idle := w.said.Fields.Keys(); idle != "" {
		k.Events.Warn(w.Object, view.ReasonMisspelt,
			"Nothing is done with %s: Takt looks after jobs with %s or %s, and this one has neither.",
			idle, shorthand.DeadlineAnnotation, shorthand.QueueLabel)
	}
}

// plainly is an error of the API server without what only machines need.
func plainly(err error) string {
	text := err.Error()
	if _, after, found := strings.Cut(text, " is invalid: "); found {
		return after
	}
	return text
}
