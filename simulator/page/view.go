package page

import (
	"fmt"
	"slices"

	"github.com/takt-dev/takt/simulator"
)

// The size of the charts, in pixels. They stretch with the window; what is measured in letters is
// right at this width.
const (
	chartWidth  = 1080
	usageHeight = 110
	dueHeight   = 34 // for those met, and once more for those missed
	usageParts  = chartWidth / 3
	dueParts    = 90

	maxBandsHeight = 440
)

// view is the page with all that the layout needs.
type view struct {
	Page
	Table       table
	Bars        []bar
	Length      string
	From, To    string // the window in which single jobs are drawn
	Whole       bool   // the window is all there is
	BestEffort  bool   // there are jobs without a deadline
	BandsHeight float64
	Fine        bool // a GPU has less than a pixel
	Policies    []policy
	Hatching    hatching
}

// bar is the deadlines met by one policy, in percent of all; the bound in the same measure.
type bar struct {
	Policy           string
	Met, Bound, Rest float64 // Rest is what cannot be met
	Text             string
}

// policy is what is drawn of one run.
type policy struct {
	Name     string
	Result   simulator.Result
	Overview overview
	Bands    []band
	Outlines outlines
	Labels   []label
	Marks    []mark
	Ticks    []tick
	Misses   misses
}

func newView(p Page) view {
	p = p.harmless()
	whole := wholeOf(p.Runs)
	window := detail(whole, p.Runs, legible)
	v := view{
		Page: p, Table: newTable(p.Runs),
		Length: elapsed(whole.length()),
		From:   whole.moment(window.from), To: whole.moment(window.to),
		Whole:       window == whole,
		Hatching:    newHatching(chartWidth, maxBandsHeight),
		BandsHeight: min(max(float64(p.GPUs)*6, 120), maxBandsHeight),
	}
	v.Fine = v.BandsHeight < float64(p.GPUs)
	for _, run := range p.Runs {
		v.BestEffort = v.BestEffort || slices.ContainsFunc(run.History.Jobs, (*simulator.Training).BestEffort)
		all := float64(max(run.Result.Jobs, 1))
		bound := float64(p.Bound.Met()) / all * 100
		v.Bars = append(v.Bars, bar{
			Policy: run.Result.Policy,
			Met:    round(float64(run.Result.Met) / all * 100),
			Bound:  round(bound),
			Rest:   round(100 - bound),
			Text:   fmt.Sprintf("%s of %s", grouped(run.Result.Met), grouped(run.Result.Jobs)),
		})
		v.Policies = append(v.Policies, newPolicy(p, run, whole, window, v.BandsHeight))
	}
	return v
}

func newPolicy(p Page, run Run, whole, window span, height float64) policy {
	jobs := run.History.Jobs
	all := spells(run.History.Changes, whole.to)
	drawn := hold(window, jobs, all, p.GPUs, chartWidth, height)
	return policy{
		Name: run.Result.Policy, Result: run.Result,
		Overview: newOverview(p, run, whole, window, all),
		Bands:    bands(drawn, jobs, whole),
		Outlines: newOutlines(drawn, jobs),
		Labels:   labels(drawn, jobs, chartWidth),
		Marks:    marks(window, jobs),
		Ticks:    window.ticks(),
		Misses:   newMisses(whole, jobs, all),
	}
}

// Figure is a chart of one policy, for the layout.
func (v view) Figure(index int) figureOf { return figureOf{v, v.Policies[index], index} }

type figureOf struct {
	Page   view
	Policy policy
	Index  int
}

// Middle is the height of the bands' middle.
func (f figureOf) Middle() float64 { return f.Page.BandsHeight/2 + 12 }

// Below is so many pixels below the top of the bands.
func (f figureOf) Below(pixels float64) float64 { return f.Page.BandsHeight + pixels }

// wholeOf is the time from the first arrival to the last change of any policy. Deadlines that come
// somewhat later are in it too.
func wholeOf(runs []Run) span {
	var submits, changes []simulator.Seconds
	for _, run := range runs {
		for _, t := range run.History.Jobs {
			submits = append(submits, t.Submit)
		}
		for _, change := range run.History.Changes {
			changes = append(changes, change.At)
		}
	}
	if len(submits) == 0 {
		return span{0, 0, hour}
	}
	first := slices.Min(submits)
	last := slices.Max(append(changes, slices.Max(submits), first+minute))
	end := last
	for _, run := range runs {
		for _, t := range run.History.Jobs {
			if t.Deadline <= last+(last-first)/4 {
				end = max(end, t.Deadline)
			}
		}
	}
	return span{first, first, end}
}
