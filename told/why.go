package told

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
)

// Cost says what its GPUs cost; nothing where they have no price.
func (j Job) Cost() string {
	switch cost := j.Status.Cost; {
	case cost.SoFar == "":
		return ""
	case j.Status.Over():
		return fmt.Sprintf("Its GPUs have cost %s.", cost.SoFar)
	case cost.Expected == "":
		return fmt.Sprintf("Its GPUs have cost %s so far. What they will have cost at its end nobody can tell yet.",
			cost.SoFar)
	default:
		return fmt.Sprintf("Its GPUs have cost %s so far, and will have cost %s at its end, as it is planned.", cost.SoFar,
			cost.Expected)
	}
}

// InShort is the job in a sentence.
func (j Job) InShort() string {
	st := j.Status
	who := fmt.Sprintf("%s (%s in namespace %s, queue %s)", j.Name, j.Spec.JobRef, j.Namespace, j.Spec.Queue)
	verdict := "is not judged yet"
	if st.Verdict != "" {
		verdict = "is " + string(st.Verdict)
	}
	if j.Status.Over() {
		return fmt.Sprintf("%s has ended and %s.", who, verdict)
	}
	size := elastic.Count(elastic.Workers(st.Workers.Running))
	if st.Workers.Max > 0 {
		size += fmt.Sprintf(", of %d to %d that it may have,", st.Workers.Min, st.Workers.Max)
	}
	progress := ""
	if st.Summary.Progress != "" {
		progress = fmt.Sprintf(" It is %s done", st.Summary.Progress)
		if st.Progress.Source != "" {
			progress += fmt.Sprintf(", as %s", source(st.Progress.Source))
		}
		progress += "."
	}
	return fmt.Sprintf("%s has %s and %s.%s", who, size, verdict, progress)
}

// source says where its progress is known from.
func source(name string) string {
	switch name {
	case "Agent":
		return "the agent in its pods tells"
	case "Annotation":
		return "the annotation takt.dev/progress says"
	case "Prometheus":
		return "its metrics say"
	case "Logs":
		return "its log says"
	}
	return name + " tells"
}

// Size says why the job has its size: what the planner says, if that is known, and what its conditions do.
func (j Job) Size(said string) []string {
	if j.Status.Over() {
		return []string{j.lastResize()}
	}
	if resizing := meta.FindStatusCondition(j.Status.Conditions, v1alpha1.ConditionResizing); resizing != nil &&
		resizing.Message != "" {
		said = strings.TrimSpace(said + " " + resizing.Message)
	}
	admitted := meta.FindStatusCondition(j.Status.Conditions, v1alpha1.ConditionAdmitted)
	if said == "" && admitted != nil {
		said = admitted.Message
	}
	if j.Status.SuspendedByUser() {
		said = fmt.Sprintf("Somebody has suspended it: takt resume %s lets it go on.", j.Name)
	}
	if said == "" && j.Status.Verdict == "" {
		said = "Takt has not looked at it yet: takt doctor says whether it can."
	}
	return []string{said, j.start(), j.lastResize()}
}

// start says when a job that waits is to start.
func (j Job) start() string {
	at, err := j.Status.Prediction.StartsAt.Time()
	if err != nil {
		return ""
	}
	return fmt.Sprintf("It starts at %s, %s, if nothing changes until then.", j.Status.Prediction.StartsAt,
		From(j.Now, at))
}

// lastResize is how it came to its size.
func (j Job) lastResize() string {
	if len(j.Resizes) == 0 {
		return "It was never resized."
	}
	r := j.Resizes[len(j.Resizes)-1]
	said := fmt.Sprintf("%s, %s ago, was from %d to %d (%s)", r.Name, Span(j.Now.Sub(r.CreationTimestamp.Time)),
		r.Spec.From, r.Spec.To, r.Spec.Reason)
	if r.Status.Reached != "" {
		said += ": " + r.Status.Reached
	}
	said += cost(r.Status.Cost)
	if end := r.Ending(); end != nil && end.Type != v1alpha1.ConditionSucceeded && end.Message != "" {
		said += ". " + strings.TrimRight(end.Message, ".")
	}
	return "Its last resize, " + said + "."
}

// Due says how it stands with the deadline.
func (j Job) Due() []string {
	st := j.Status
	said := []string{st.Message}
	if at, err := st.Deadline.Time(); err == nil && !j.Status.Over() {
		figures := fmt.Sprintf("The deadline is %s, %s.", st.Deadline, From(j.Now, at))
		if eta, err := st.Prediction.ETA.Time(); err == nil {
			figures += fmt.Sprintf(" It is expected to end at %s, %s", st.Prediction.ETA, From(j.Now, eta))
			if st.Prediction.Earliest != "" && st.Prediction.Latest != "" {
				figures += fmt.Sprintf("; in nine of ten cases between %s and %s", st.Prediction.Earliest, st.Prediction.Latest)
			}
			figures += "."
		}
		if st.Prediction.OnTimePercent != nil {
			figures += fmt.Sprintf(" The chance to be in time is %d%%.", *st.Prediction.OnTimePercent)
		}
		said = append(said, figures)
	}
	return said
}

// cost is what a resize has cost, as far as that is known.
func cost(c v1alpha1.ResizeCost) string {
	switch pause, lost := c.Pause, c.Lost; {
	case pause != "" && lost != "":
		return fmt.Sprintf("; nothing was trained for %s, and work of %s was done once more", pause, lost)
	case pause != "":
		return fmt.Sprintf("; nothing was trained for %s", pause)
	case lost != "":
		return fmt.Sprintf("; work of %s was lost", lost)
	}
	return ""
}
