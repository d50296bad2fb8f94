package page

import (
	"fmt"
	"math"

	"github.com/takt-dev/takt/simulator"
)

const (
	minute = simulator.Seconds(60)
	hour   = 60 * minute
	day    = 24 * hour
)

// span is a stretch of simulated time. Moments are told to readers as time since the origin, which
// is when the first job arrives.
type span struct{ origin, from, to simulator.Seconds }

func (s span) length() simulator.Seconds { return s.to - s.from }

func (s span) holds(at simulator.Seconds) bool { return s.from <= at && at <= s.to }

// x is where a moment lies between 0 and width, and how far outside it may be.
func (s span) x(at simulator.Seconds, width float64) float64 {
	return float64((at-s.from)/s.length()) * width
}

// tick is a moment that is named below a chart.
type tick struct {
	Percent float64
	Label   string
	Minor   bool   // left out where there is little room
	Anchor  string // at the edges the label is moved inwards
}

// The steps between ticks, up to four weeks; longer ones double.
var steps = []simulator.Seconds{
	1, 2, 5, 10, 20, 30, minute, 2 * minute, 5 * minute, 10 * minute, 20 * minute, 30 * minute,
	hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour, day, 2 * day, 4 * day, 7 * day, 14 * day, 28 * day,
}

// step is the shortest step that needs no more ticks than that.
func (s span) step(most int) simulator.Seconds {
	for _, step := range steps {
		if s.length() <= step*simulator.Seconds(most) {
			return step
		}
	}
	step := steps[len(steps)-1]
	for s.length() > step*simulator.Seconds(most) {
		step *= 2
	}
	return step
}

func (s span) ticks() []tick {
	step := s.step(9)
	var ticks []tick
	first := math.Ceil(float64((s.from - s.origin) / step))
	for i := first; ; i++ {
		at := s.origin + simulator.Seconds(i)*step
		if at > s.to {
			return ticks
		}
		t := tick{Percent: round(s.x(at, 100)), Label: s.label(at, step), Minor: len(ticks)%2 == 1}
		switch {
		case t.Percent < 2:
			t.Anchor = " first"
		case t.Percent > 96:
			t.Anchor = " last"
		}
		ticks = append(ticks, t)
	}
}

// label names a tick: no finer than the step asks for.
func (s span) label(at, step simulator.Seconds) string {
	if since := at - s.origin; step >= day || math.Mod(float64(since), float64(day)) == 0 {
		return elapsed(since)
	}
	return s.moment(at)
}

// moment tells when something was, to the minute.
func (s span) moment(at simulator.Seconds) string {
	since := at - s.origin
	if since < hour || since > 1e6*day {
		return elapsed(since)
	}
	minutes := int(math.Round(float64(since / minute)))
	clock := fmt.Sprintf("%d:%02d", minutes/60%24, minutes%60)
	if days := minutes / (24 * 60); days > 0 {
		return fmt.Sprintf("%d d %s", days, clock)
	}
	return clock
}

// elapsed tells a span of time by its two greatest units.
func elapsed(t simulator.Seconds) string {
	seconds := simulator.Seconds(math.Round(float64(max(t, -t))))
	sign := ""
	if t < 0 && seconds > 0 {
		sign = "−"
	}
	two := func(great, small simulator.Seconds, greatName, smallName string) string {
		n := math.Round(float64(seconds / small))
		per := float64(great / small)
		whole, rest := math.Floor(n/per), math.Mod(n, per)
		if rest == 0 {
			return fmt.Sprintf("%s%.0f %s", sign, whole, greatName)
		}
		return fmt.Sprintf("%s%.0f %s %.0f %s", sign, whole, greatName, rest, smallName)
	}
	switch {
	case seconds == 0:
		return "0"
	case seconds < minute:
		return fmt.Sprintf("%s%.0f s", sign, float64(seconds))
	case seconds < hour:
		return two(minute, 1, "min", "s")
	case seconds < day-minute/2:
		return two(hour, minute, "h", "min")
	default:
		return two(day, hour, "d", "h")
	}
}
