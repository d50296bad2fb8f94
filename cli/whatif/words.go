package whatif

import (
	"fmt"
	"io"
	"strings"

	"github.com/takt-dev/takt/cli/show"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/coretime"
)

// Write tells an answer to people.
func (a Answer) Write(w io.Writer) error {
	var b strings.Builder
	b.WriteString(show.Wrapped(a.inShort(), "", show.LineWidth) + "\n\n")
	table := show.Columns{Text: 6, Heads: [][]string{{"", "WORKERS", "VERDICT", "DEADLINE", "EXPECTED", "AT WORST"}}}
	table.Rows = append(table.Rows, a.row("as it is", a.Is), a.row("as asked", a.Would))
	if err := table.Write(&b); err != nil {
		return err
	}
	b.WriteString("\n" + show.Wrapped(a.Would.Why+" "+a.Would.Message, "  ", show.LineWidth) + "\n\n")
	if a.Allow != "" {
		b.WriteString(show.Wrapped(a.lets(), "", show.LineWidth) + "\n\n")
	}
	if err := a.costs(&b); err != nil {
		return err
	}
	b.WriteString("\n" + show.Wrapped(fmt.Sprintf("This is as of %s, when Takt last planned, and would be planned anew "+
		"whenever something happens. Nothing was changed.",
		moment(a.AsOf)), "", show.LineWidth) + "\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// lets says how to let the job have as many workers as were asked for.
func (a Answer) lets() string {
	return fmt.Sprintf("It may have %s at most: let it have as many first, by the annotation takt.dev/workers: %s on the "+
		"job, or by spec.workers of its ElasticJob where somebody wrote that. If it is resized while it trains, its first "+
		"growth beyond them takes a restart.", elastic.Count(a.MayHave), a.Allow)
}

// inShort is when the job would end, beside when it does.
func (a Answer) inShort() string {
	is, would := a.Is.ExpectedEnd, a.Would.ExpectedEnd
	switch {
	case would == nil && is == nil:
		return fmt.Sprintf("Nobody can tell when %s would end, as nobody can now.", a.Job)
	case would == nil:
		return fmt.Sprintf("Nobody could tell when %s would end.", a.Job)
	case is == nil:
		return fmt.Sprintf("%s would end in %s, at %s.", a.Job, elastic.Shorten(*would-a.AsOf), moment(*would))
	}
	later := *would - *is
	difference := "as it does now"
	switch {
	case later >= 1:
		difference = elastic.Shorten(later) + " later than as it is"
	case later <= -1:
		difference = elastic.Shorten(-later) + " sooner than as it is"
	}
	return fmt.Sprintf("%s would end in %s, at %s: %s.", a.Job, elastic.Shorten(*would-a.AsOf), moment(*would), difference)
}

func (a Answer) row(label string, s Standing) []string {
	row := []string{label, fmt.Sprint(s.Workers), string(s.Verdict), "-", "-", "-"}
	if s.Deadline != nil {
		row[3] = moment(*s.Deadline)
	}
	if s.ExpectedEnd != nil {
		row[4] = moment(*s.ExpectedEnd)
	}
	if s.Latest != nil {
		row[5] = moment(*s.Latest)
	}
	return row
}

// costs says what others would have of it.
func (a Answer) costs(b *strings.Builder) error {
	if len(a.Others) == 0 {
		b.WriteString("It costs others nothing: each would have what it has now, and end when it does now.\n")
		return nil
	}
	fmt.Fprintf(b, "%s would have it otherwise:\n", elastic.CountOf(len(a.Others), "other job"))
	const shown = 20
	table := show.Columns{Text: 4}
	for _, o := range a.Others[:min(len(a.Others), shown)] {
		table.Rows = append(table.Rows, []string{
			"  " + o.Job, change(fmt.Sprint(o.Is.Workers), fmt.Sprint(o.Would.Workers), "workers"), o.ends(a.AsOf), o.judged(),
		})
	}
	if err := table.Write(b); err != nil {
		return err
	}
	if more := len(a.Others) - shown; more > 0 {
		fmt.Fprintf(b, "  and %d more: -o json tells of all\n", more)
	}
	return nil
}

func change(from, to, what string) string {
	if from == to {
		return strings.TrimSpace(to + " " + what)
	}
	return strings.TrimSpace(fmt.Sprintf("%s → %s %s", from, to, what))
}

// ends is by how much later or sooner it would end.
func (o Other) ends(now elastic.Seconds) string {
	switch later := o.moves(now); {
	case o.Is.ExpectedEnd == nil && o.Would.ExpectedEnd == nil:
		return "nobody can tell when it ends"
	case o.Would.ExpectedEnd == nil:
		return "nobody could tell when it ends"
	case o.Is.ExpectedEnd == nil:
		return "ends in " + elastic.Shorten(*o.Would.ExpectedEnd-now)
	case later > 0:
		return "ends " + elastic.Shorten(later) + " later"
	case later < 0:
		return "ends " + elastic.Shorten(-later) + " sooner"
	}
	return "ends as it does now"
}

func (o Other) judged() string {
	return change(standing(o.Is), standing(o.Would), "")
}

func standing(s Standing) string {
	if s.Promised {
		return string(s.Verdict) + ", promised"
	}
	return string(s.Verdict)
}

// moment is a moment of a snapshot as people read it. Those of real clusters count from 1970.
func moment(at elastic.Seconds) string {
	return coretime.Time(at).UTC().Format("2006-01-02 15:04Z")
}
