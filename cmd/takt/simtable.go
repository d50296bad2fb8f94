package main

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/takt-dev/takt/cli/show"
	"github.com/takt-dev/takt/simulator"
)

// column is one figure of results, as people see it.
type column struct {
	above, head string
	note        string // what it means, where that does not go without saying
	text        func(simulator.Result) string
}

var (
	sizeColumn   = column{"", "GPUS", "", func(r simulator.Result) string { return strconv.Itoa(r.GPUs) }}
	queueColumns = []column{
		{"", "jobs", "", func(r simulator.Result) string { return strconv.Itoa(r.Queues[0].All) }},
		{"with a", "deadline", "", func(r simulator.Result) string { return strconv.Itoa(r.Jobs) }},
		{"", "MET", "", ofDated(func(r simulator.Result) string { return strconv.Itoa(r.Met) })},
		{"% of", "dated", "", ofDated(func(r simulator.Result) string { return show.Percent(r.MetRatio) })},
	}
	metColumns = []column{
		{"", "MET", "", func(r simulator.Result) string { return strconv.Itoa(r.Met) }},
		{"% of", "jobs", "", func(r simulator.Result) string { return show.Percent(r.MetRatio) }},
		{"% of", "bound", "", func(r simulator.Result) string { return show.Percent(r.MetOverBound) }},
	}
	promiseColumns = []column{
		{"", "promised", "", func(r simulator.Result) string { return strconv.Itoa(r.Promised) }},
		{"", "late", "late    deadlines missed after they were promised",
			func(r simulator.Result) string { return strconv.Itoa(r.LateAfter) }},
		{"", "declined", "", func(r simulator.Result) string { return strconv.Itoa(r.Declined) }},
	}
	timeColumns = []column{
		{"waited", "mean", "waited  how long jobs that have ended had no GPU: before they began, and while they were stopped",
			func(r simulator.Result) string { return spanText(r.Waiting, mean) }},
		{"waited", "p95", "", func(r simulator.Result) string { return spanText(r.Waiting, p95) }},
		{"took", "mean", "took    how long it was from their arrival to their end; p95: 95 of 100 took no longer",
			func(r simulator.Result) string { return spanText(r.Completion, mean) }},
		{"took", "p95", "", func(r simulator.Result) string { return spanText(r.Completion, p95) }},
	}
	neverColumn = column{"never", "ended",
		"never   jobs that did not end, so that it is not known how long they waited and took",
		func(r simulator.Result) string { return strconv.Itoa(r.Unfinished) }}
	gpuColumns = []column{
		{"GPU-h", "used", "", func(r simulator.Result) string { return fmt.Sprintf("%.0f", r.GPUHoursUsed) }},
		{"GPU-h", "lost", "GPU-h   GPU hours; lost are those in which a job held GPUs for a resize and did not train",
			func(r simulator.Result) string { return fmt.Sprintf("%.0f", r.GPUHoursLost) }},
	}
	costColumn = column{"", "cost", "cost    of the GPU hours used", func(r simulator.Result) string {
		if r.Cost == nil {
			return "-"
		}
		if *r.Cost < 100 {
			return fmt.Sprintf("%.2f", *r.Cost)
		}
		return fmt.Sprintf("%.0f", *r.Cost)
	}}
	resizeColumn = column{
		"resizes", "per job", "", func(r simulator.Result) string { return fmt.Sprintf("%.2f", r.ResizesPerJob) },
	}
	clockColumn = column{"p99", "ms", "p99 ms  99 of 100 decisions took less",
		func(r simulator.Result) string { return fmt.Sprintf("%.1f", r.Decision.P99) }}
	effortColumn = column{"effort", "mean", "effort  mean time from the arrival of a best-effort job to its end",
		func(r simulator.Result) string {
			if r.BestEffortJCT == nil {
				return "-"
			}
			return show.Elapsed(*r.BestEffortJCT)
		}}
)

// ofDated is a figure of jobs with a deadline, where there are some.
func ofDated(figure func(simulator.Result) string) func(simulator.Result) string {
	return func(r simulator.Result) string {
		if r.Jobs == 0 {
			return "-"
		}
		return figure(r)
	}
}

// sizesOf are the sizes of cluster that results are of.
func sizesOf(results []simulator.Result) []int {
	var sizes []int
	for _, r := range results {
		if !slices.Contains(sizes, r.GPUs) {
			sizes = append(sizes, r.GPUs)
		}
	}
	return sizes
}

func mean(s simulator.Spans) float64 { return s.Mean }
func p95(s simulator.Spans) float64  { return s.P95 }

func spanText(s *simulator.Spans, of func(simulator.Spans) float64) string {
	if s == nil {
		return "-"
	}
	return show.Elapsed(of(*s))
}

// columnsOf are those that have something to tell of these results.
func columnsOf(results []simulator.Result) []column {
	var all []column
	if len(sizesOf(results)) > 1 {
		all = append(all, sizeColumn)
	}
	all = slices.Concat(all, metColumns, promiseColumns, timeColumns)
	if slices.ContainsFunc(results, func(r simulator.Result) bool { return r.Unfinished > 0 }) {
		all = append(all, neverColumn)
	}
	all = append(all, resizeColumn)
	all = append(all, gpuColumns...)
	if slices.ContainsFunc(results, func(r simulator.Result) bool { return r.Cost != nil }) {
		all = append(all, costColumn)
	}
	if len(sizesOf(results)) < 2 {
		all = append(all, clockColumn)
	}
	if slices.ContainsFunc(results, func(r simulator.Result) bool { return r.BestEffortJCT != nil }) {
		all = append(all, effortColumn)
	}
	return all
}

// tableOfQueues is a row for each queue of each result.
func tableOfQueues(results []simulator.Result) show.Columns {
	t := show.Columns{Text: 2, Heads: [][]string{{"", ""}, {"QUEUE", "POLICY"}}}
	of := [][]column{queueColumns, promiseColumns, timeColumns, gpuColumns[:1]}
	if len(sizesOf(results)) > 1 {
		of = slices.Insert(of, 0, []column{sizeColumn})
	}
	if results[0].Cost != nil {
		of = append(of, []column{costColumn})
	}
	columns := slices.Concat(of...)
	for _, c := range columns {
		t.Heads[0], t.Heads[1] = append(t.Heads[0], c.above), append(t.Heads[1], c.head)
	}
	for q := range results[0].Queues {
		for _, r := range results {
			share := r.Queues[q]
			row := []string{share.Queue, r.Policy}
			of := simulator.Result{GPUs: r.GPUs, Figures: share.Figures, Queues: []simulator.Share{share}}
			for _, c := range columns {
				row = append(row, c.text(of))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// tableOfResults is a row for each result, and what its columns mean.
func tableOfResults(results []simulator.Result) (t show.Columns, legend string) {
	t = show.Columns{Text: 1, Heads: [][]string{{""}, {"POLICY"}}}
	for _, r := range results {
		t.Rows = append(t.Rows, []string{r.Policy})
	}
	for _, c := range columnsOf(results) {
		t.Heads[0], t.Heads[1] = append(t.Heads[0], c.above), append(t.Heads[1], c.head)
		for i, r := range results {
			t.Rows[i] = append(t.Rows[i], c.text(r))
		}
		if c.note != "" {
			legend += c.note + "\n"
		}
	}
	return t, legend
}
