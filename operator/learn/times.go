package learn

import (
	"math"
	"time"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/predictor"
)

// longest is the longest span that is told as one: what is further off is as good as never.
const longest = 100 * 365 * 24 * time.Hour

// span is a number of seconds as a span of time.
func span(seconds float64) time.Duration {
	if math.IsNaN(seconds) || seconds <= 0 {
		return 0
	}
	return time.Duration(math.Min(seconds, longest.Seconds()) * float64(time.Second))
}

// Moment is a moment as the planner counts it: in seconds since 1970.
func Moment(t time.Time) elastic.Seconds {
	if t.IsZero() {
		return 0
	}
	return elastic.Seconds(moment(t))
}

func moment(t time.Time) predictor.Seconds {
	return predictor.Seconds(float64(t.Unix()) + float64(t.Nanosecond())/1e9)
}
