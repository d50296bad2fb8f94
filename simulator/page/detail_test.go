package page

import (
	"testing"

	"github.com/takt-dev/takt/simulator"
)

// history is a run with changes and missed deadlines at these moments.
func history(changes, misses []simulator.Seconds) Run {
	var run Run
	for _, at := range misses {
		run.History.Jobs = append(run.History.Jobs, training("late", 0, at, never))
	}
	for _, at := range changes {
		run.History.Changes = append(run.History.Changes, simulator.Change{At: at, Job: &simulator.Training{}, Size: 1})
	}
	return run
}

func every(from, to, step simulator.Seconds) []simulator.Seconds {
	var all []simulator.Seconds
	for at := from; at < to; at += step {
		all = append(all, at)
	}
	return all
}

func TestDetail(t *testing.T) {
	whole := span{0, 0, 1024}
	moments := func(m ...simulator.Seconds) []simulator.Seconds { return m }
	cases := map[string]struct {
		runs []Run
		most int
		want span
	}{
		"all, if it is few":    {[]Run{history(every(0, 1024, 8), nil)}, 200, whole},
		"where most is missed": {[]Run{history(every(0, 1024, 8), moments(10, 700, 701))}, 40, span{0, 512, 768}},
		"by all policies together": {[]Run{history(every(0, 1024, 8), moments(10, 11)),
			history(nil, moments(700, 701, 702))}, 40, span{0, 512, 768}},
		"a window across two halves": {[]Run{history(every(0, 1024, 8), moments(500, 520))}, 70, span{0, 256, 768}},
		"few for the busiest policy": {[]Run{history(every(0, 1024, 64), nil), history(every(0, 1024, 4), moments(3))}, 70,
			span{0, 0, 256}},
		"no room for idle time":        {[]Run{history(every(256, 300, 1), nil)}, 100, span{0, 256, 320}},
		"idle time, if things need it": {[]Run{history(append(every(0, 20, 1), every(1000, 1020, 1)...), nil)}, 100, whole},
		"all at the same moment":       {[]Run{history(make([]simulator.Seconds, 500), nil)}, 100, span{0, 0, 0.0625}},
		"nothing happens":              {nil, 100, span{0, 0, 0.0625}},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			if got := detail(whole, test.runs, test.most); got != test.want {
				t.Errorf("%v, want %v", got, test.want)
			}
		})
	}
}
