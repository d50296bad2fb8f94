package page

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/takt-dev/takt/told"
)

// The chart of a job, in units of its own: workers above, progress below, one axis of time for both.
const (
	chartWidth  = 900.0
	chartLeft   = 44.0
	chartRight  = 16.0
	chartTop    = 78.0 // above it are the names of moments, in rows
	panelHeight = 120.0
	panelGap    = 30.0
	labelRow    = 16.0
	labelWidth  = 118.0 // of the longest name with its time
)

// chart is what is drawn.
type chart struct {
	Width, Height float64
	Above         float64 // the names need no more room than that
	Left, Right   float64
	Top, Bottom   float64
	Workers       panel
	Progress      panel
	Ahead         float64 // where the future begins
	Size          string  // the path of the workers that were
	Planned       string  // and of those that are to be
	Done          string  // the path of the progress, from one knot to the next
	Fan           string  // where it is expected to go
	Knots         []knot  // what is known of the progress
	Marks         []mark  // moments that matter
	Changes       []float64
	Description   string
}

type panel struct {
	Top, Bottom float64
	Ticks       []tick
}

type tick struct {
	Y    float64
	Name string
}

type knot struct{ X, Y float64 }

type mark struct {
	X, LabelX, LabelY float64
	Name, Class, Text string
	Anchor            string
}

func draw(of told.Job, heard *History) chart {
	first := chartTop + panelHeight
	c := chart{
		Width: chartWidth, Left: chartLeft, Right: chartWidth - chartRight, Top: chartTop,
		Workers:  panel{Top: chartTop, Bottom: first},
		Progress: panel{Top: first + panelGap, Bottom: first + panelGap + panelHeight},
	}
	c.Bottom = c.Progress.Bottom
	c.Height = c.Bottom + 12
	a := axisOf(of)
	c.workers(of, a)
	c.progress(of, a, heard)
	c.marks(of, a)
	c.Above = c.Top
	for _, m := range c.Marks {
		c.Above = min(c.Above, m.LabelY-labelRow)
	}
	c.Height -= c.Above
	return c
}

// axis lays moments out from left to right.
type axis struct{ from, to time.Time }

func axisOf(of told.Job) axis {
	a := axis{from: of.CreationTimestamp.Time, to: of.Now}
	for _, m := range of.Moments() {
		if m.At.After(a.to) {
			a.to = m.At
		}
	}
	return a
}

func (a axis) at(t time.Time) float64 {
	whole := a.to.Sub(a.from)
	if whole <= 0 {
		return chartLeft
	}
	share := min(max(float64(t.Sub(a.from))/float64(whole), 0), 1)
	return round(chartLeft + share*(chartWidth-chartLeft-chartRight))
}

func round(f float64) float64 { return float64(int(f*10+0.5)) / 10 }

// workers draws the sizes that were, and the one that is decided until the expected end.
func (c *chart) workers(of told.Job, a axis) {
	steps := of.Steps()
	most := max(of.Status.Workers.Max, of.Status.Workers.Desired, 1)
	for _, s := range steps {
		most = max(most, s.Workers)
	}
	y := func(workers int32) float64 {
		return round(c.Workers.Bottom - float64(max(workers, 0))/float64(most)*(c.Workers.Bottom-c.Workers.Top))
	}
	c.Workers.Ticks = []tick{{y(0), "0"}, {y(most), fmt.Sprint(most)}}
	if half := most / 2; half > 0 && most > 2 {
		c.Workers.Ticks = append(c.Workers.Ticks, tick{y(half), fmt.Sprint(half)})
	}
	until, ended := of.Ended()
	if !ended {
		until = of.Now
	}
	c.Ahead = a.at(until)
	var path strings.Builder
	fmt.Fprintf(&path, "M%g %g", a.at(steps[0].At), y(0))
	for i, s := range steps {
		if s.At.After(until) {
			break
		}
		fmt.Fprintf(&path, "H%gV%g", a.at(s.At), y(s.Workers))
		if i > 0 {
			c.Changes = append(c.Changes, a.at(s.At))
		}
	}
	fmt.Fprintf(&path, "H%gV%gZ", c.Ahead, y(0))
	c.Size = path.String()
	if eta, err := of.Status.Prediction.ETA.Time(); err == nil && !ended && eta.After(of.Now) {
		c.Planned = fmt.Sprintf("M%g %gV%gH%gV%g", c.Ahead, y(0), y(of.Status.Workers.Desired), a.at(eta), y(0))
	}
	c.Description = fmt.Sprintf("Workers over time, at most %d, and the progress, at present %d%%.", most,
		percent(of.Status.Progress))
}

// progress draws what is known of it, and where it is expected to go.
func (c *chart) progress(of told.Job, a axis, heard *History) {
	y := func(share float64) float64 {
		return round(c.Progress.Bottom - share*(c.Progress.Bottom-c.Progress.Top))
	}
	c.Progress.Ticks = []tick{{y(0), "0%"}, {y(0.5), "50%"}, {y(1), "100%"}}
	done := float64(percent(of.Status.Progress)) / 100
	begun := of.CreationTimestamp.Time
	for _, s := range of.Steps() {
		if s.Workers > 0 {
			begun = s.At
			break
		}
	}
	at := of.Now
	if seen, err := of.Status.Progress.ObservedAt.Time(); err == nil && seen.Before(at) {
		at = seen
	}
	until, ended := of.Ended()
	if ended {
		at = until
	}
	if begun.After(at) {
		begun = at
	}
	c.Knots = []knot{{a.at(begun), y(0)}}
	for _, p := range heard.between(of.UID, begun, at) {
		c.Knots = append(c.Knots, knot{a.at(time.Unix(p.at, 0)), y(min(max(float64(p.done)/1e6, 0), 1))})
	}
	c.Knots = append(c.Knots, knot{a.at(at), y(done)})
	var path strings.Builder
	for i, k := range c.Knots {
		fmt.Fprintf(&path, "%s%g %g", map[bool]string{true: "M", false: "L"}[i == 0], k.X, k.Y)
	}
	c.Done = path.String()
	earliest, err := of.Status.Prediction.Earliest.Time()
	latest, err2 := of.Status.Prediction.Latest.Time()
	if err == nil && err2 == nil && !ended {
		c.Fan = fmt.Sprintf("M%g %gL%g %gL%g %gZ", a.at(at), y(done), a.at(earliest), y(1), a.at(latest), y(1))
	}
}

// marks names the moments that matter, those that are close to each other in rows.
func (c *chart) marks(of told.Job, a axis) {
	classes := map[string]string{"deadline": "deadline", "now": "now", "expected": "expected", "at worst": "expected"}
	moments := of.Moments()
	slices.SortStableFunc(moments, func(a, b told.Moment) int { return a.At.Compare(b.At) })
	var ends [4]float64 // how far each row is taken
	for _, m := range moments {
		x := a.at(m.At)
		one := mark{
			X: x, Name: m.Name, Class: classes[m.Name], Text: m.Name + " " + clock(m.At, of.Now), Anchor: "start", LabelX: x,
		}
		if x > chartWidth-labelWidth {
			one.Anchor = "end"
		}
		left := x
		if one.Anchor == "end" {
			left = x - labelWidth
		}
		at := 0
		for row := range ends {
			if ends[row] <= left {
				at = row
				break
			}
			if ends[row] < ends[at] {
				at = row
			}
		}
		ends[at] = max(ends[at], left+labelWidth)
		one.LabelY = round(chartTop - 8 - labelRow*float64(at))
		c.Marks = append(c.Marks, one)
	}
}

// clock is a moment as it is written on the axis: with its day, where that is not today.
func clock(t, now time.Time) string {
	if t.UTC().Format(time.DateOnly) == now.UTC().Format(time.DateOnly) {
		return told.Clock(t)
	}
	return t.UTC().Format("Jan 2 ") + told.Clock(t)
}
