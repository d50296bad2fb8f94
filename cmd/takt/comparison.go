package main

import (
	"fmt"
	"io"
	"path/filepath"
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
		{Label: "Cluster", Value: c.clusters()},
		{Label: "Resize cost", Value: show.Elapsed(c.resizeCost.Seconds())},
		{Label: "Predictor", Value: fmt.Sprintf("%s with noise %g", c.predictor, c.noise)},
	}
	if c.gpuType != "" {
		list = append(list, page.Condition{Label: "Kind of GPU", Value: c.gpuType})
	}
	if c.queues != "" {
		list = append(list, page.Condition{Label: "Queues", Value: filepath.Base(c.queues)})
	}
	if c.prices.PerHour != nil {
		list = append(list, page.Condition{Label: "Price of a GPU hour", Value: c.prices.String()})
	}
	if c.guarantee != startAnyway {
		list = append(list, page.Condition{Label: "Guarantee", Value: c.guarantee})
	}
	if c.deadlines != 1 {
		list = append(list, page.Condition{Label: "Deadlines", Value: fmt.Sprintf("after %g of their time", c.deadlines)})
	}
	if c.bestEffort > 0 {
		list = append(list, page.Condition{Label: "Best effort", Value: show.Percent(c.bestEffort) + "% of the jobs"})
	}
	if c.failures > 0 {
		list = append(list, page.Condition{Label: "A node fails every", Value: show.Elapsed(c.failures.Seconds())})
	}
	return append(list, page.Condition{Label: "Seed", Value: strconv.FormatUint(c.seed, 10)})
}

// clusters are the sizes that are looked at.
func (c comparison) clusters() string {
	sizes := elastic.CountOf(c.sizes[0], "GPU")
	if n := len(c.sizes); n > 1 {
		first := c.sizes[:n-1]
		sizes = fmt.Sprintf("%s or %s", strings.ReplaceAll(first.String(), ",", ", "), elastic.CountOf(c.sizes[n-1], "GPU"))
	}
	return fmt.Sprintf("%s with %d on a node", sizes, c.gpusPerNode)
}

func (c comparison) writePage(w io.Writer) error {
	return page.Write(w, page.Page{
		Title: fmt.Sprintf("%s on %s", strings.TrimSuffix(filepath.Base(c.trace), ".csv"),
			elastic.CountOf(c.gpus, "GPU")),
		Conditions: c.conditions(),
		GPUs:       c.gpus, ResizeCost: seconds(c.resizeCost), Bound: c.bound, Runs: c.runs,
	})
}

func (c comparison) writeTable(w io.Writer) error {
	return c.write(w, c.results(), c.boundSentence())
}

// write shows conditions, sentences, and a row for each result.
func (c comparison) write(w io.Writer, results []simulator.Result, sentences ...string) error {
	var parts []string
	for _, condition := range c.conditions() {
		parts = append(parts, condition.Label+" "+condition.Value)
	}
	if results[0].Guesses > 0 {
		sentences = append(sentences, guessSentence(results[0].Guesses, len(c.runs[0].History.Jobs)))
	}
	for _, text := range append([]string{strings.Join(parts, ", ")}, sentences...) {
		if _, err := fmt.Fprintf(w, "%s\n\n", show.Wrapped(text, "", show.LineWidth)); err != nil {
			return err
		}
	}
	table, legend := tableOfResults(results)
	if err := table.Write(w); err != nil {
		return err
	}
	if len(results[0].Queues) > 0 {
		fmt.Fprintln(w)
		if err := tableOfQueues(results).Write(w); err != nil {
			return err
		}
	}
	if c.queues != "" {
		legend += "queues  of the policies takt alone knows what each is guaranteed and may have; the bound does not\n"
	}
	_, err := io.WriteString(w, "\n"+legend)
	return err
}

func guessSentence(guesses, jobs int) string {
	measured := "was never measured: its work and its speeds are guesses."
	if guesses > 1 {
		measured = "were never measured: their work and their speeds are guesses."
	}
	return fmt.Sprintf("Of the %s %d %s", elastic.CountOf(jobs, "job"), guesses, measured)
}

func (c comparison) boundSentence() string {
	return fmt.Sprintf("The bound: no scheduler can meet more than %d of the %s (%s%%).",
		c.bound.Met(), elastic.CountOf(c.bound.Jobs, "deadline"), show.Percent(c.bound.Ratio()))
}
