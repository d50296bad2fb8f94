package page

import (
	"math"
	"testing"

	"github.com/takt-dev/takt/simulator"
)

func TestElapsed(t *testing.T) {
	for seconds, want := range map[simulator.Seconds]string{
		0: "0", 0.2: "0", -0.2: "0", 12: "12 s", 59.6: "1 min", 60: "1 min", 95: "1 min 35 s", -95: "−1 min 35 s",
		3599.7: "1 h", 3600: "1 h", 5000: "1 h 23 min", 86399: "1 d", 86400: "1 d", 200000: "2 d 8 h", 3e7: "347 d 5 h",
	} {
		if got := elapsed(seconds); got != want {
			t.Errorf("%v is told as %q, want %q", float64(seconds), got, want)
		}
	}
}

func TestMoment(t *testing.T) {
	s := span{origin: 1000}
	for since, want := range map[simulator.Seconds]string{
		0: "0", 95: "1 min 35 s", 3600: "1:00", 5000: "1:23", 86399: "1 d 0:00", 200000: "2 d 7:33", -60: "−1 min",
	} {
		if got := s.moment(1000 + since); got != want {
			t.Errorf("%v after the origin is told as %q, want %q", float64(since), got, want)
		}
	}
}

func TestTicksAreFewAndRound(t *testing.T) {
	for length := simulator.Seconds(3); length < 1e11; length *= 1.37 {
		s := span{500, 500 + length/3, 500 + length/3 + length}
		ticks := s.ticks()
		if len(ticks) < 2 || len(ticks) > 10 {
			t.Errorf("%v s have %d ticks", float64(length), len(ticks))
		}
		step := s.step(9)
		for i, tick := range ticks {
			at := s.from - s.origin + simulator.Seconds(tick.Percent/100)*length
			if off := math.Abs(math.Remainder(float64(at), float64(step))); off > 1e-4*float64(length) {
				t.Errorf("a tick of %v s is %v s off", float64(length), off)
			}
			if tick.Percent < 0 || tick.Percent > 100 || i > 0 && (tick.Percent <= ticks[i-1].Percent ||
				tick.Label == ticks[i-1].Label) {
				t.Errorf("tick %+v after %+v", tick, ticks[max(0, i-1)])
			}
		}
	}
}
