package page

import (
	"testing"

	"github.com/takt-dev/takt/simulator"
)

func TestWholeTime(t *testing.T) {
	changes := func(at ...simulator.Seconds) []simulator.Change {
		var all []simulator.Change
		for _, at := range at {
			all = append(all, simulator.Change{At: at, Job: &simulator.Training{}})
		}
		return all
	}
	run := func(changes []simulator.Change, jobs ...*simulator.Training) Run {
		return Run{History: simulator.History{Jobs: jobs, Changes: changes}}
	}
	cases := map[string]struct {
		runs []Run
		want span
	}{
		"nothing": {nil, span{0, 0, hour}},
		"from the first arrival": {[]Run{run(changes(1100, 1500), training("a", 1200, 1300, 1500),
			training("b", 1100, 1300, 1500))}, span{1100, 1100, 1500}},
		"to the last change": {[]Run{run(changes(100, 500), training("a", 100, 200, 500)), run(changes(900))},
			span{100, 100, 900}},
		"with a deadline soon":     {[]Run{run(changes(100, 500), training("a", 100, 600, 500))}, span{100, 100, 600}},
		"without a deadline late":  {[]Run{run(changes(100, 500), training("a", 100, 601, 500))}, span{100, 100, 500}},
		"a job that never runs":    {[]Run{run(nil, training("a", 100, 101, never))}, span{100, 100, 160}},
		"best effort has no limit": {[]Run{run(changes(100, 500), training("a", 100, never, 500))}, span{100, 100, 500}},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			if got := wholeOf(test.runs); got != test.want {
				t.Errorf("%v, want %v", got, test.want)
			}
		})
	}
}

func TestOverview(t *testing.T) {
	job := training("late", 0, 1080, 2160)
	run := Run{
		Result:  simulator.Result{GPUHoursLost: 4 * 540. / 3600},
		History: simulator.History{Jobs: []*simulator.Training{job, training("in time", 0, 2160, 2000)}},
	}
	whole := span{0, 0, 2160}
	all := []spell{{job, 1080, 2160, 4}}
	o := newOverview(Page{GPUs: 8, ResizeCost: 540}, run, whole, span{0, 540, 1080}, all)
	if o.Percent != 25 || o.Left != 25 || o.Width != 25 || !o.PausesKnown {
		t.Errorf("%+v", o)
	}
	// The line is at 34: the job in time stands on it, the other hangs from it.
	if o.Met != "M1065.5 2H1079.5V34H1065.5Z" || o.Missed != "M540.5 34H554.5V66H540.5Z" {
		t.Errorf("met %s, missed %s", o.Met, o.Missed)
	}
	// For a quarter of the time 4 of 8 GPUs are held and paused, for another they train.
	for _, test := range []struct {
		name, got string
		from      float64
	}{{"held", o.Held, 540}, {"training", o.Training, 810}} {
		p := newBuckets(whole, usageParts)
		p.add(simulator.Seconds(test.from*2), 2160, 4)
		if want := p.outline(8, chartWidth, usageHeight); test.got != want {
			t.Errorf("%s is %s, want %s", test.name, test.got, want)
		}
	}
}

func TestFate(t *testing.T) {
	s := span{origin: 1000}
	for want, job := range map[string]*simulator.Training{
		"a (), submitted at 1:00: finished 1 min 40 s before its deadline; sized 0 times": training("a", 4600, 5000, 4900),
		"b (), submitted at 1:00: finished 10 s late; sized 0 times":                      training("b", 4600, 5000, 5010),
		"c (), submitted at 1:00: never finished; sized 0 times":                          training("c", 4600, 5000, never),
		"d (), submitted at 1:00: no deadline, took 7 min; sized 0 times":                 training("d", 4600, never, 5020),
	} {
		if got := s.fate(job); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
