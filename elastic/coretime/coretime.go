package coretime

import (
	"time"

	"github.com/takt-dev/takt/elastic"
)

// Seconds is a moment as the core counts time.
func Seconds(t time.Time) elastic.Seconds { return elastic.Seconds(float64(t.UnixMilli()) / 1000) }

// Time is the reverse of Seconds. What is further off than three thousand years is as far as that.
func Time(s elastic.Seconds) time.Time {
	const furthest = 1e11
	return time.UnixMilli(int64(max(-furthest, min(s, furthest)) * 1000))
}
