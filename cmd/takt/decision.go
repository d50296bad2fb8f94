package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/takt-dev/takt/elastic"
)

// writePlan prints a decision for people: an overview, the reasons, and what to do.
func writePlan(w io.Writer, s elastic.Snapshot, d elastic.Decision) error {
	var b strings.Builder
	if err := overview(s, d).write(&b); err != nil {
		return err
	}
	for _, o := range d.Jobs {
		fmt.Fprintf(&b, "\n%s\n%s\n", o.Name, wrapped(o.Why+" "+o.Message, "  ", lineWidth))
	}
	b.WriteString("\n")
	if len(d.Resizes) == 0 {
		b.WriteString("Nothing is to be resized.\n")
	} else {
		b.WriteString("Resizes, in this order:\n")
		if err := steps(d.Resizes).write(&b); err != nil {
			return err
		}
	}
	if d.Wake != nil {
		fmt.Fprintf(&b, "\nPlan again in %s, if nothing happens before.\n", elapsed(float64(*d.Wake-s.Now)))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func overview(s elastic.Snapshot, d elastic.Decision) columns {
	table := columns{text: 3, heads: [][]string{{"JOB", "WORKERS", "VERDICT", "DEADLINE IN", "DONE IN", "SLACK"}}}
	for i, o := range d.Jobs {
		deadline, done, slack := "-", "-", "-"
		if at := s.Jobs[i].Deadline; at != nil {
			deadline = elapsed(float64(*at - s.Now))
			if o.Expected != nil {
				slack = elapsed(float64(*at - *o.Expected))
			}
		}
		if o.Expected != nil {
			done = elapsed(float64(*o.Expected - s.Now))
		}
		table.rows = append(table.rows, []string{o.Name, change(s.Jobs[i].Workers, o.Workers), string(o.Verdict), deadline, done, slack})
	}
	return table
}

func change(from, to elastic.Workers) string {
	if from == to {
		return strconv.Itoa(int(to))
	}
	return fmt.Sprintf("%d → %d", from, to)
}

func steps(resizes []elastic.Resize) columns {
	table := columns{text: 4}
	for i, r := range resizes {
		table.rows = append(table.rows, []string{fmt.Sprintf("%3d.", i+1), r.Job, change(r.From, r.To), string(r.Reason)})
	}
	return table
}
