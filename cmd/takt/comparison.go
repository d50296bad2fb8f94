package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/takt-dev/takt/cli/show"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/simulator"
	"github.com/takt-dev/takt/simulator/page"
)

// conditions are what the results depend on, for people.
func (c comparison) conditions() []page.Condition {
	list := []page.Condition{
		{Label: "Trace", Value: filepath.Base(c.trace)},
		{Label: "Speeds", Value: filepath.Base(c.throughputs)},
		{Label: "Cluster", Value: fmt.Sprintf("%s with %d on a node", elastic.CountOf(c.gpus, "GPU"), c.gpusPerNode)},
		{Label: "Resize cost", Value: show.Elapsed(c.resizeCost.Seconds())},
		{Label: "Predictor", Value: fmt.Sprintf("%s with noise %g", c.predictor, c.noise)},
	}
	if c.guarantee != startAnyway {
		list = append(list, page.Condition{Label: "Guarantee", Value: c.guarantee})
	}
	if c.bestEffort > 0 {
		list = append(list, page.Condition{Label: "Best effort", Value: show.Percent(c.bestEffort) + "% of the jobs"})
	}
	if c.failures > 0 {
		list = append(list, page.Condition{Label: "A node fails every", Value: show.Elapsed(c.failures.Seconds())})
	}
	return append(list, page.Condition{Label: "Seed", Value: strconv.FormatUint(c.seed, 10)})
}

func (c comparison) writePage(w io.Writer) error {
	return page.Write(w, page.Page{
		Title:      fmt.Sprintf("%s on %s", strings.TrimSuffix(filepath.Base(c.trace), ".csv"), elastic.CountOf(c.gpus, "GPU")),
		Conditions: c.conditions(),
		GPUs:       c.gpus, ResizeCost: seconds(c.resizeCost), Bound: c.bound, Runs: c.runs,
	})
}

func (c comparison) writeTable(w io.Writer) error {
	var parts []string
	for _, condition := range c.conditions() {
		parts = append(parts, condition.Label+" "+condition.Value)
	}
	_, err := fmt.Fprintf(w, "%s\n\n%s\n\n", show.Wrapped(strings.Join(parts, ", "), "", show.LineWidth), c.boundSentence())
	if err != nil {
		return err
	}
	if err := c.table().Write(w); err != nil {
		return err
	}
	notes := legend
	if c.efforts() {
		notes += effortLegend
	}
	_, err = io.WriteString(w, notes)
	return err
}

const legend = `
late    deadlines missed after they were promised
GPU-h   GPU hours; lost are those in which a job held GPUs for a resize and did not train
p99 ms  99 of 100 decisions took less
`

const effortLegend = "effort  mean time from the arrival of a best-effort job to its end\n"

func (c comparison) boundSentence() string {
	return show.Wrapped(fmt.Sprintf("The bound: no scheduler can meet more than %d of the %s (%s%%).",
		c.bound.Met(), elastic.CountOf(c.bound.Jobs, "deadline"), show.Percent(c.bound.Ratio())), "", show.LineWidth)
}

// efforts says whether there is something to tell of best-effort jobs.
func (c comparison) efforts() bool {
	return slices.ContainsFunc(c.runs, func(r page.Run) bool { return r.Result.BestEffortJCT != nil })
}

// table shows the columns for best-effort jobs only if there are any.
func (c comparison) table() show.Columns {
	t := show.Columns{Text: 1, Heads: [][]string{
		{"", "", "% of", "% of", "", "", "", "resizes", "GPU-h", "GPU-h", "p99"},
		{"POLICY", "MET", "jobs", "bound", "promised", "late", "declined", "per job", "used", "lost", "ms"},
	}}
	efforts := c.efforts()
	for _, r := range c.results() {
		t.Rows = append(t.Rows, tableRow(r, efforts))
	}
	if efforts {
		t.Heads[0] = append(t.Heads[0], "effort")
		t.Heads[1] = append(t.Heads[1], "mean")
	}
	return t
}

func tableRow(r simulator.Result, efforts bool) []string {
	row := []string{
		r.Policy, strconv.Itoa(r.Met), show.Percent(r.MetRatio), show.Percent(r.MetOverBound),
		strconv.Itoa(r.Promised), strconv.Itoa(r.LateAfter), strconv.Itoa(r.Declined),
		fmt.Sprintf("%.2f", r.ResizesPerJob), fmt.Sprintf("%.0f", r.GPUHoursUsed), fmt.Sprintf("%.0f", r.GPUHoursLost),
		fmt.Sprintf("%.1f", r.Decision.P99),
	}
	if !efforts {
		return row
	}
	if r.BestEffortJCT == nil {
		return append(row, "-")
	}
	return append(row, show.Elapsed(*r.BestEffortJCT))
}
