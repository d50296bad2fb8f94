package why

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/cli/show"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/coretime"
	"github.com/takt-dev/takt/told"
)

// Case is a job and what is known of it.
type Case struct {
	Job     *v1alpha1.ElasticJob
	Resizes []v1alpha1.Resize // the first of them first
	Now     time.Time
	// Snapshot is what was last planned from; nil if that may not be seen, which Unseen then says.
	Snapshot *elastic.Snapshot
	Unseen   string
	// Asked is how the same is asked of another command: the job, and the flags that say where it is.
	Asked string
}

// Write tells all of it.
func (c Case) Write(w io.Writer) error {
	var b strings.Builder
	planned, job := c.plan(), c.told()
	said := ""
	if planned != nil {
		said = planned.outcome().Why
	}
	b.WriteString(show.Wrapped(job.InShort(), "", show.LineWidth) + "\n")
	section(&b, "What it waits for", job.Awaits()...)
	section(&b, "Why this size", job.Size(said)...)
	section(&b, "Its deadline", job.Due()...)
	section(&b, "Its cost", job.Cost())
	section(&b, "What it would take to be on time", c.needs(planned)...)
	if err := c.holders(&b, planned); err != nil {
		return err
	}
	if said := c.asOf(planned); said != "" {
		b.WriteString("\n" + show.Wrapped(said, "", show.LineWidth) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// old is how old a snapshot may be before it is worth a word.
const old = 10 * time.Minute

// asOf says that the snapshot is old, as one in a file may be: the job may have another size by now, and so may others.
func (c Case) asOf(p *planned) string {
	if p == nil {
		return ""
	}
	at := coretime.Time(p.snapshot.Now)
	if c.Now.Sub(at) <= old {
		return ""
	}
	return fmt.Sprintf("Why it has its size, how many more GPUs would do, and who holds the GPUs is as of %s, the moment "+
		"of the snapshot.", at.UTC().Format("2006-01-02 15:04Z"))
}

func (c Case) told() told.Job { return told.Job{ElasticJob: c.Job, Resizes: c.Resizes, Now: c.Now} }

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
