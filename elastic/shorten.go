package elastic

import (
	"fmt"
	"math"
)

// roundUp rounds to what Shorten shows of a span of time.
func roundUp(s Seconds) Seconds { return Seconds(math.Ceil(float64(s)/shownBy(s)) * shownBy(s)) }

// roundDown is what Shorten shows of a span of time.
func roundDown(s Seconds) Seconds { return Seconds(math.Floor(float64(s)/shownBy(s)) * shownBy(s)) }

// shownBy is the unit that Shorten shows a span of time in.
func shownBy(s Seconds) float64 {
	switch {
	case s >= 24*3600:
		return 3600
	case s >= 600:
		return 60
	}
	return 1
}

// Shorten writes a span of time as people do, by its two greatest units: 45s, 2m30s, 12m, 3h20m, 5d4h.
func Shorten(s Seconds) string {
	switch whole := int64(min(max(s, 0), 600)); {
	case whole < 60:
		return fmt.Sprintf("%ds", whole)
	case whole < 600 && whole%60 > 0:
		return fmt.Sprintf("%dm%ds", whole/60, whole%60)
	}
	minutes := int64(min(float64(s)/60, 1e12))
	days, hours := minutes/(24*60), minutes/60%24
	minutes %= 60
	switch {
	case days > 0 && hours > 0:
		return fmt.Sprintf("%dd%dh", days, hours)
	case days > 0:
		return fmt.Sprintf("%dd", days)
	case hours > 0 && minutes > 0:
		return fmt.Sprintf("%dh%dm", hours, minutes)
	case hours > 0:
		return fmt.Sprintf("%dh", hours)
	}
	return fmt.Sprintf("%dm", minutes)
}

// Away writes how far something is from a moment that it has missed or met: nobody would say that it is 0s away.
func Away(s Seconds) string {
	if s < 1 {
		return "less than a second"
	}
	return Shorten(s)
}
