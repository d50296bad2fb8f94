package operator

import (
	"math"
	"testing"
	"time"

	"github.com/takt-dev/takt/elastic"
)

// heirs are the processes that have begun after another was killed. Each is asked, before it has read anything, what it
// would plan, and so is the one that it comes after, as if that lived on: what only the dead one knew makes the difference.
type heirs struct {
	all     int
	others  map[string]int // of each job, how many give it another size
	differ  int            // how many do so for any
	stopped []string       // jobs that would be stopped for what is not known of them any more
}

// mostOthers is in which part of all cases a plan may be another. A process that dies has heard things since it last
// wrote down what it knows, which is not worth a write each time: where a decision hangs by a hair, that makes it fall.
const mostOthers = 0.1

// heirs watches all processes from the second on.
func (l *loop) heirs() *heirs {
	h := &heirs{others: map[string]int{}}
	l.succeeds = func(dead *Operator) {
		dead.client, dead.live, dead.profiles.Client = l.z.Server, l.z.Server, l.z.Server // it only reads
		was, is := l.wouldPlan(dead), l.wouldPlan(afresh(dead))
		h.all++
		differs := false
		for job, workers := range was {
			got, there := is[job]
			if there && got == workers {
				continue
			}
			differs = true
			h.others[job]++
			if got == 0 {
				h.stopped = append(h.stopped, job+" "+l.z.Clock.Now().Sub(start).Round(time.Second).String())
			}
		}
		if differs {
			h.differ++
		}
	}
	return h
}

// wouldPlan is the size that a process would give each job now.
func (l *loop) wouldPlan(o *Operator) map[string]elastic.Workers {
	sc, err := o.observe(l.t.Context())
	if err != nil {
		l.t.Fatal(err)
	}
	sizes, decision := map[string]elastic.Workers{}, l.variant.Plan(sc.snapshot)
	for i, job := range sc.snapshot.Jobs {
		sizes[job.Name] = decision.Jobs[i].Workers
	}
	return sizes
}

// judge fails a test where processes did not know what those before them knew.
func (h *heirs) judge(t *testing.T) {
	t.Helper()
	t.Logf("of %d processes %d would plan otherwise than the one before: %v", h.all, h.differ, h.others)
	most := int(mostOthers * float64(h.all))
	if h.differ > most {
		t.Errorf("%d of %d processes would plan otherwise than the one before, want %d at most", h.differ, h.all, most)
	}
	for job, times := range h.others {
		if times > max(1, most/3) {
			t.Errorf("%d of %d processes would give %s another size than the one before: what is known of it is lost", times, h.all, job)
		}
	}
	for _, job := range h.stopped {
		t.Errorf("%s: it would be stopped by a process that does not know what the one before knew", job)
	}
}

func TestChance(t *testing.T) {
	for name, test := range map[string]struct {
		pairs *pairs
		want  float64
	}{
		"nobody":           {&pairs{}, 1},
		"one":              {&pairs{onlyKilled: 1}, 0.5},
		"five of five":     {&pairs{onlyKilled: 5}, 1.0 / 32},
		"four of five":     {&pairs{onlyKilled: 4, onlyLiving: 1}, 6.0 / 32},
		"where it lives":   {&pairs{onlyLiving: 5}, 1},
		"as many as there": {&pairs{onlyKilled: 2, onlyLiving: 2}, 11.0 / 16},
	} {
		t.Run(name, func(t *testing.T) {
			if got := test.pairs.chance(); math.Abs(got-test.want) > 1e-9 {
				t.Errorf("chance is %g, want %g", got, test.want)
			}
		})
	}
}
