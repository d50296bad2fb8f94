package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/takt-dev/takt/cli/show"
	"github.com/takt-dev/takt/elastic"
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
	table, legend := tableOfResults(c.results())
	if err := table.Write(w); err != nil {
		return err
	}
	_, err = io.WriteString(w, "\n"+legend)
	return err
}

func (c comparison) boundSentence() string {
	return show.Wrapped(fmt.Sprintf("The bound: no scheduler can meet more than %d of the %s (%s%%).",
		c.bound.Met(), elastic.CountOf(c.bound.Jobs, "deadline"), show.Percent(c.bound.Ratio())), "", show.LineWidth)
}
