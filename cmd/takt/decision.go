package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/takt-dev/takt/cli/show"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/begin"
	"github.com/takt-dev/takt/elastic/yield"
)

// writePlan prints a decision for people: an overview, the reasons, and what to do.
func writePlan(w io.Writer, s begin.Scene, d elastic.Decision) error {
	var b strings.Builder
	if err := overview(s.Snapshot, d).Write(&b); err != nil {
		return err
	}
	for _, o := range d.Jobs {
		fmt.Fprintf(&b, "\n%s\n%s\n", o.Name, show.Wrapped(o.Why+" "+o.Message, "  ", show.LineWidth))
	}
	b.WriteString("\n")
	if len(d.Resizes) == 0 {
		b.WriteString("Nothing is to be resized.\n")
	} else {
		b.WriteString("Resizes, in this order:\n")
		if err := steps(s, d).Write(&b); err != nil {
			return err
		}
	}
	if len(d.Aside) > 0 {
		b.WriteString("\nThese take no part:\n")
		if err := aside(s.Snapshot, d).Write(&b); err != nil {
			return err
		}
	}
	if others := s.Others.Yields(s.Now); len(others) > 0 {
		b.WriteString("\nOthers have settled these:\n")
		if err := settled(others).Write(&b); err != nil {
			return err
		}
	}
	if d.Wake != nil {
		fmt.Fprintf(&b, "\nPlan again in %s, if nothing happens before.\n", show.Elapsed(float64(*d.Wake-s.Now)))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func overview(s elastic.Snapshot, d elastic.Decision) show.Columns {
	table := show.Columns{Text: 3, Heads: [][]string{{"JOB", "WORKERS", "VERDICT", "DEADLINE IN", "DONE IN", "SLACK"}}}
	for i, o := range d.Jobs {
		deadline, done, slack := "-", "-", "-"
		if at := s.Jobs[i].Deadline; at != nil {
			deadline = show.Elapsed(float64(*at - s.Now))
			if o.ExpectedEnd != nil {
				slack = show.Elapsed(float64(*at - *o.ExpectedEnd))
			}
		}
		if o.ExpectedEnd != nil {
			done = show.Elapsed(float64(*o.ExpectedEnd - s.Now))
		}
		table.Rows = append(table.Rows, []string{
			o.Name, change(s.Jobs[i].Workers, o.Workers), string(o.Verdict), deadline, done, slack,
		})
	}
	return table
}

// aside are the jobs that take no part in a plan, and for how long.
func aside(s elastic.Snapshot, d elastic.Decision) show.Columns {
	table := show.Columns{Text: 3}
	for _, a := range d.Aside {
		until := "until what it starts after can succeed"
		switch {
		case a.Until != nil:
			until = "for another " + show.Elapsed(float64(*a.Until-s.Now))
		case a.Reason == elastic.WorkersNotPlaced:
			until = "until its workers have nodes"
		case a.Reason == elastic.QuotaReached:
			until = "until its quota leaves it enough to start"
		case a.Reason == elastic.NoNodeFits:
			until = "until a node can run its workers"
		}
		table.Rows = append(table.Rows, []string{"  " + a.Name, string(a.Reason), until})
	}
	return table
}

// settled is what others have settled about jobs.
func settled(all []yield.Yield) show.Columns {
	table := show.Columns{Text: 2}
	for _, y := range all {
		says := "it is let run as it is written"
		if !y.LetRun {
			says = "its size stays: " + string(y.Stays)
		}
		table.Rows = append(table.Rows, []string{"  " + y.Job, says})
	}
	return table
}

func change(from, to elastic.Workers) string {
	if from == to {
		return strconv.Itoa(int(to))
	}
	return fmt.Sprintf("%d → %d", from, to)
}

func steps(s begin.Scene, d elastic.Decision) show.Columns {
	table := show.Columns{Text: 5}
	b := begin.Now(s, d)
	for i, r := range d.Resizes {
		table.Rows = append(table.Rows, []string{
			fmt.Sprintf("%3d.", i+1), r.Job, change(r.From, r.To), string(r.Reason), begins(s, b, r),
		})
	}
	return table
}

// begins says what of a change may begin now.
func begins(s begin.Scene, b begin.Beginning, r elastic.Resize) string {
	i := slices.IndexFunc(b.Withdraw, func(w begin.Withdrawal) bool { return w.Job == r.Job })
	if i >= 0 {
		return fmt.Sprintf("once the one under way to %d is withdrawn", b.Withdraw[i].To)
	}
	i = slices.IndexFunc(b.Begin, func(o begin.Begun) bool { return o.Resize.Job == r.Job })
	if i >= 0 && b.Begin[i].Resize.To == r.To {
		return "now"
	} else if i >= 0 {
		return fmt.Sprintf("now, to %d", b.Begin[i].Resize.To)
	}
	i = slices.IndexFunc(s.Jobs, func(job elastic.Job) bool { return job.Name == r.Job })
	if h := b.Hindered[i]; h != nil {
		return "later: " + string(h.Reason)
	}
	return "once the one under way is over"
}
