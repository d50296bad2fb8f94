package pacing

import (
	"testing"
	"time"

	clocktesting "k8s.io/utils/clock/testing"
)

// A process that has nothing to do is not woken twice a second by each of its queues.
func TestQueuesTickSeldom(t *testing.T) {
	now := clocktesting.NewFakeClock(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC))
	often, seldom := seldomTicks{now}.NewTicker(time.Second/2), seldomTicks{now}.NewTicker(time.Minute)
	ticks := func() (n int) {
		for _, of := range []<-chan time.Time{often.C(), seldom.C()} {
			select {
			case <-of:
				n++
			default:
			}
		}
		return n
	}
	for _, test := range []struct {
		passes time.Duration
		want   int
	}{{figuresEvery - time.Second, 0}, {time.Second, 1}, {figuresEvery, 1}, {time.Minute, 2}} {
		if now.Step(test.passes); ticks() != test.want {
			t.Errorf("after %s more they do not tick %d times", test.passes, test.want)
		}
	}
}
