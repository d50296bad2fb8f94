package page

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/takt-dev/takt/simulator"
)

// better says which of two figures is the better one.
type better int

const (
	neither better = iota
	higher
	lower
)

// figure is one column of the table of policies.
type figure struct {
	Group, Head string
	better      better
	value       func(simulator.Result) float64 // NaN, if there is none
	format      string
}

var figures = []figure{
	{"Deadlines", "Met", higher, func(r simulator.Result) float64 { return float64(r.Met) }, "%.0f"},
	{"Deadlines", "Of all", higher, func(r simulator.Result) float64 { return r.MetRatio * 100 }, "%.1f %%"},
	{"Deadlines", "Of the bound", higher, func(r simulator.Result) float64 { return r.MetOverBound * 100 }, "%.1f %%"},
	{"Promises", "Made", neither, func(r simulator.Result) float64 { return float64(r.Promised) }, "%.0f"},
	{"Promises", "Broken", lower, func(r simulator.Result) float64 { return float64(r.LateAfter) }, "%.0f"},
	{"Promises", "Declined", neither, func(r simulator.Result) float64 { return float64(r.Declined) }, "%.0f"},
	{"GPU hours", "Used", neither, func(r simulator.Result) float64 { return r.GPUHoursUsed }, "%.0f"},
	{"GPU hours", "Lost", lower, func(r simulator.Result) float64 { return r.GPUHoursLost }, "%.0f"},
	{"Jobs", "Resizes each", lower, func(r simulator.Result) float64 { return r.ResizesPerJob }, "%.2f"},
	{"Jobs", "Waited, mean", lower, hours(waiting, mean), "%.1f h"},
	{"Jobs", "Waited, 95 %", lower, hours(waiting, p95), "%.1f h"},
	{"Jobs", "Took, mean", lower, hours(completion, mean), "%.1f h"},
	{"Jobs", "Took, 95 %", lower, hours(completion, p95), "%.1f h"},
	{"Jobs", "Never ended", lower, func(r simulator.Result) float64 { return float64(r.Unfinished) }, "%.0f"},
	{"Jobs", "Best effort took", lower, bestEffortHours, "%.1f h"},
	{"Decisions, ms", "Median", lower, func(r simulator.Result) float64 { return r.Decision.P50 }, "%.2f"},
	{"Decisions, ms", "99 % below", lower, func(r simulator.Result) float64 { return r.Decision.P99 }, "%.2f"},
}

func waiting(r simulator.Result) *simulator.Spans    { return r.Waiting }
func completion(r simulator.Result) *simulator.Spans { return r.Completion }
func mean(s *simulator.Spans) float64                { return s.Mean }
func p95(s *simulator.Spans) float64                 { return s.P95 }

type spansOf func(simulator.Result) *simulator.Spans

// hours is a figure of some spans of time, in hours.
func hours(spans spansOf, figure func(*simulator.Spans) float64) func(simulator.Result) float64 {
	return func(r simulator.Result) float64 {
		if s := spans(r); s != nil {
			return figure(s) / 3600
		}
		return math.NaN()
	}
}

func bestEffortHours(r simulator.Result) float64 {
	if r.BestEffortJCT == nil {
		return math.NaN()
	}
	return *r.BestEffortJCT / 3600
}

// text is the figure as it is shown.
func (f figure) text(r simulator.Result) string {
	value := f.value(r)
	if math.IsNaN(value) {
		return "–"
	}
	if f.format == "%.0f" && math.Abs(value) < 1e15 {
		return grouped(int(math.Round(value)))
	}
	if text := fmt.Sprintf(f.format, value); value == 0 || strings.Trim(text, "0.") != "" {
		return text
	}
	return "< 0.01"
}

// grouped writes a number with its digits in groups of three, if there are five or more.
func grouped(n int) string {
	text := strconv.Itoa(n)
	if n < 10_000 {
		return text
	}
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "\u202f" + text[i:]
	}
	return text
}

// best is the text of the best figure, or nothing if all policies show the same. Figures that look
// the same are equally good.
func (f figure) best(runs []Run) string {
	best, text, differ := math.NaN(), "", false
	for _, run := range runs {
		value := f.value(run.Result)
		if math.IsNaN(value) {
			continue
		}
		differ = differ || (text != "" && f.text(run.Result) != text)
		if math.IsNaN(best) || (f.better == higher && value > best) || (f.better == lower && value < best) {
			best, text = value, f.text(run.Result)
		}
	}
	if f.better == neither || !differ {
		return ""
	}
	return text
}

// group is neighbouring columns under one heading.
type group struct {
	Name    string
	Columns int
}

// cell is one figure of one policy.
type cell struct {
	Text string
	Best bool
}

// table is the policies side by side.
type table struct {
	Groups []group
	Heads  []string
	Rows   [][]cell // by run
}

func newTable(runs []Run) table {
	t := table{Rows: make([][]cell, len(runs))}
	for _, f := range figures {
		if n := len(t.Groups); n > 0 && t.Groups[n-1].Name == f.Group {
			t.Groups[n-1].Columns++
		} else {
			t.Groups = append(t.Groups, group{f.Group, 1})
		}
		t.Heads = append(t.Heads, f.Head)
		best := f.best(runs)
		for i, run := range runs {
			text := f.text(run.Result)
			t.Rows[i] = append(t.Rows[i], cell{text, best != "" && text == best})
		}
	}
	return t
}
