package pacing

import (
	"time"

	"k8s.io/utils/clock"
)

// figuresEvery is how often a queue says how long those have been worked at that are not done: Prometheus asks no more
// often, as a rule. Queues would say so twice a second each, and wake a process for it that has nothing to do.
const figuresEvery = 10 * time.Second

// seldomTicks is a clock that ticks no more often than that.
type seldomTicks struct{ clock.WithTicker }

// NewTicker is one that ticks so often, but not too often.
func (s seldomTicks) NewTicker(every time.Duration) clock.Ticker {
	return s.WithTicker.NewTicker(max(every, figuresEvery))
}
