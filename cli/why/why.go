package why

import (
	"fmt"
	"io"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/cli/show"
	"github.com/takt-dev/takt/elastic"
)

// Case is a job and what is known of it.
type Case struct {
	Job     *v1alpha1.ElasticJob
	Resizes []v1alpha1.Resize // the first of them first
	Now     time.Time
	// Snapshot is what was last planned from; nil if that may not be seen, which Unseen then says.
	Snapshot *elastic.Snapshot
	Unseen   string
}

// Write tells all of it.
func (c Case) Write(w io.Writer) error {
	var b strings.Builder
	planned := c.plan()
	b.WriteString(show.Wrapped(c.inShort(), "", show.LineWidth) + "\n")
	section(&b, "What it waits for", c.awaits()...)
	section(&b, "Why this size", c.size(planned)...)
	section(&b, "Its deadline", c.deadline()...)
	section(&b, "Its cost", c.cost())
	section(&b, "What it would take to be on time", c.needs(planned)...)
	if err := c.holders(&b, planned); err != nil {
		return err
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// cost says what its GPUs cost; nothing where they have no price.
func (c Case) cost() string {
	switch cost := c.Job.Status.Cost; {
	case cost.SoFar == "":
		return ""
	case c.Job.Status.Over():
		return fmt.Sprintf("Its GPUs have cost %s.", cost.SoFar)
	case cost.Expected == "":
		return fmt.Sprintf("Its GPUs have cost %s so far. What they will have cost at its end nobody can tell yet.", cost.SoFar)
	default:
		return fmt.Sprintf("Its GPUs have cost %s so far, and will have cost %s at its end, as it is planned.", cost.SoFar, cost.Expected)
	}
}

// section writes a title and paragraphs below it; nothing where there is nothing to say.
func section(b *strings.Builder, title string, paragraphs ...string) {
	written := false
	for _, p := range paragraphs {
		if p == "" {
			continue
		}
		if !written {
			fmt.Fprintf(b, "\n%s\n", title)
		}
		written = true
		b.WriteString(show.Wrapped(p, "  ", show.LineWidth) + "\n")
	}
}

// inShort is the job in a sentence.
func (c Case) inShort() string {
	st := c.Job.Status
	who := fmt.Sprintf("%s (%s in namespace %s, queue %s)", c.Job.Name, c.Job.Spec.JobRef, c.Job.Namespace, c.Job.Spec.Queue)
	verdict := "is not judged yet"
	if st.Verdict != "" {
		verdict = "is " + string(st.Verdict)
	}
	if c.Job.Status.Over() {
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

// planned is the job as it was last planned.
type planned struct {
	snapshot *elastic.Snapshot
	decision elastic.Decision
	at       int // of the job
}

// plan makes the operator's decision once more; nil where that cannot be or the job is not planned for.
func (c Case) plan() *planned {
	if c.Snapshot == nil {
		return nil
	}
	for i, j := range c.Snapshot.Jobs {
		if j.Name == c.Job.Namespace+"/"+c.Job.Name {
			return &planned{c.Snapshot, elastic.Plan(*c.Snapshot), i}
		}
	}
	return nil
}

func (p *planned) job() elastic.Job         { return p.snapshot.Jobs[p.at] }
func (p *planned) outcome() elastic.Outcome { return p.decision.Jobs[p.at] }

// size says why the job has its size.
func (c Case) size(p *planned) []string {
	if c.Job.Status.Over() {
		return []string{c.lastResize()}
	}
	said := ""
	if p != nil {
		said = p.outcome().Why
	}
	if resizing := meta.FindStatusCondition(c.Job.Status.Conditions, v1alpha1.ConditionResizing); resizing != nil && resizing.Message != "" {
		said = strings.TrimSpace(said + " " + resizing.Message)
	}
	admitted := meta.FindStatusCondition(c.Job.Status.Conditions, v1alpha1.ConditionAdmitted)
	if said == "" && admitted != nil {
		said = admitted.Message
	}
	if c.suspended() {
		said = fmt.Sprintf("Somebody has suspended it: takt resume %s lets it go on.", c.Job.Name)
	}
	if said == "" && c.Job.Status.Verdict == "" {
		said = "Takt has not looked at it yet: takt doctor says whether it can."
	}
	return []string{said, c.start(), c.lastResize()}
}

// start says when a job that waits is to start.
func (c Case) start() string {
	at, err := c.Job.Status.Prediction.StartsAt.Time()
	if err != nil {
		return ""
	}
	return fmt.Sprintf("It starts at %s, %s, if nothing changes until then.", c.Job.Status.Prediction.StartsAt, c.from(at))
}

// suspended says that somebody else than Takt has stopped it.
func (c Case) suspended() bool {
	stopped := meta.FindStatusCondition(c.Job.Status.Conditions, v1alpha1.ConditionSuspended)
	return stopped != nil && stopped.Reason == v1alpha1.ReasonSuspendedByUser
}

// lastResize is how it came to its size.
func (c Case) lastResize() string {
	if len(c.Resizes) == 0 {
		return "It was never resized."
	}
	r := c.Resizes[len(c.Resizes)-1]
	said := fmt.Sprintf("%s, %s ago, was from %d to %d (%s): %s", r.Name, span(c.Now.Sub(r.CreationTimestamp.Time)), r.Spec.From, r.Spec.To, r.Spec.Reason, r.Status.Reached)
	if r.Status.Cost.Pause != "" {
		said += fmt.Sprintf("; nothing was trained for %s", r.Status.Cost.Pause)
		if r.Status.Cost.Lost != "" {
			said += fmt.Sprintf(", and work of %s was done once more", r.Status.Cost.Lost)
		}
	}
	if end := r.Ending(); end != nil && end.Type != v1alpha1.ConditionSucceeded && end.Message != "" {
		said += ". " + strings.TrimRight(end.Message, ".")
	}
	return "Its last resize, " + said + "."
}

func span(d time.Duration) string { return elastic.Shorten(elastic.Seconds(d.Seconds())) }

// deadline says how it stands with the deadline.
func (c Case) deadline() []string {
	st := c.Job.Status
	said := []string{st.Message}
	if at, err := st.Deadline.Time(); err == nil && !c.Job.Status.Over() {
		figures := fmt.Sprintf("The deadline is %s, %s.", st.Deadline, c.from(at))
		if eta, err := st.Prediction.ETA.Time(); err == nil {
			figures += fmt.Sprintf(" It is expected to end at %s, %s", st.Prediction.ETA, c.from(eta))
			if st.Prediction.Earliest != "" && st.Prediction.Latest != "" {
				figures += fmt.Sprintf("; in eight of ten cases between %s and %s", st.Prediction.Earliest, st.Prediction.Latest)
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

func (c Case) from(at time.Time) string {
	if ago := c.Now.Sub(at); ago > 0 {
		return span(ago) + " ago"
	}
	return "in " + span(at.Sub(c.Now))
}
