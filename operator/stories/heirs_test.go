package stories

import (
	"math"
	"slices"
	"testing"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/rooms"
)

// heirs are the processes that have begun after another was killed. Each is asked, before it has read anything, what it
// knows of each job as the planner is told of it, and so is the one that it comes after, as if that lived on.
//
// What they would decide is not compared: where a decision hangs by a hair, the last reading before a death makes it
// fall.
type heirs struct {
	all  int
	what map[string]map[string]int // by job, what is known otherwise, and how often
	most map[string]elastic.Work   // by job, the most work that it had left
}

// mostOthers is in which part of all cases something of a job may be known otherwise. A process that dies has heard
// things since it last wrote down what it knows, which is not worth a write each time. Speeds that are hardly known
// move with each reading.
func mostOthers(what string) float64 {
	if what == itsSpeeds {
		return 0.25
	}
	return 0.06
}

const itsSpeeds = "its speeds"

// heirs watches all processes from the second on.
func (l *loop) heirs() *heirs {
	h := &heirs{what: map[string]map[string]int{}, most: map[string]elastic.Work{}}
	l.succeeds = func(dead *rooms.Rooms) {
		dead.Client, dead.Live, dead.Profiles.Client = l.z.Server, l.z.Server, l.z.Server // it only reads
		dead.Furnish()
		was, is := l.known(dead), l.known(fixture.Afresh(dead))
		h.all++
		for name, job := range was {
			h.most[name] = max(h.most[name], job.Left)
			for _, what := range forgotten(job, is[name], h.most[name]) {
				if h.what[name] == nil {
					h.what[name] = map[string]int{}
				}
				h.what[name][what]++
			}
		}
	}
	return h
}

// known is what a process tells the planner of each job now.
func (l *loop) known(o *rooms.Rooms) map[string]elastic.Job {
	sc, err := o.Planner.Observe(l.t.Context())
	if err != nil {
		l.t.Fatal(err)
	}
	jobs := map[string]elastic.Job{}
	for _, job := range sc.Snapshot.Jobs {
		jobs[job.Name] = job
	}
	return jobs
}

// forgotten names what was known of a job, and is not, or not about the same, where it had so much work at most.
func forgotten(was, is elastic.Job, most elastic.Work) (what []string) {
	miss := func(name string, same bool) {
		if !same {
			what = append(what, name)
		}
	}
	miss("that it is there", was.Name == is.Name)
	miss("its promise", was.Promised == is.Promised)
	miss("its plan", (len(was.Reserved) > 0) == (len(is.Reserved) > 0))
	miss("its work", was.UnknownWork == is.UnknownWork && math.Abs(float64(was.Left-is.Left)) <= 0.03*float64(most))
	miss("what is believed of it", was.Believed == is.Believed && was.Doubted == is.Doubted)
	miss(itsSpeeds, slices.EqualFunc(was.Sizes, is.Sizes, func(a, b elastic.Size) bool {
		return a.Workers == b.Workers && near(a.Speed, b.Speed, 0.2) && near(a.Expected, b.Expected, 0.2) && near(a.Best,
			b.Best, 0.2)
	}))
	miss("that it was stopped", was.Tried == is.Tried)
	miss("its size", was.Workers == is.Workers)
	miss("its pause", near(was.Pause, is.Pause, 0.1) && math.Abs(float64(was.BusyUntil-is.BusyUntil)) < 30)
	miss("what it has saved", was.Unsaved == is.Unsaved && math.Abs(float64(was.SavedAt-is.SavedAt)) < 60 &&
		near(was.Rework, is.Rework, 0.1))
	return what
}

func near[T ~float64](a, b T, part float64) bool {
	return math.Abs(float64(a-b)) <= part*max(math.Abs(float64(a)), math.Abs(float64(b)))
}

// judge fails a test where processes did not know what those before them knew.
func (h *heirs) judge(t *testing.T) {
	t.Helper()
	t.Logf("what %d processes know otherwise than those before them: %v", h.all, h.what)
	for job, otherwise := range h.what {
		for what, times := range otherwise {
			if times > max(1, int(mostOthers(what)*float64(h.all))) {
				t.Errorf("%d of %d processes know otherwise of %s than those before them: %s", times, h.all, job, what)
			}
		}
	}
}
