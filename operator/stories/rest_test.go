package stories

import (
	"fmt"
	"testing"
	"time"

	"github.com/takt-dev/takt/operator/zoo/habit"
)

// Whoever has jobs that hardly ever tell anything pays next to nothing for looking after them.
func TestStoryJobsAtRestAreHardlyLookedAt(t *testing.T) {
	const jobs = 10
	for by, most := range map[habit.Channel]int{habit.Annotation: 24, habit.Log: 40} { // looks at a job in two hours
		l := newLoop(t)
		l.z.Nodes(jobs, 1)
		l.begin()
		for i := range jobs {
			name, habits := fmt.Sprintf("job-%d", i), habit.Animals()[0].Habits
			habits.By, habits.Tells, habits.Hours = by, 4*time.Hour, 20
			l.z.Add(name, habits, 1, 1, 1)
			l.take(name, l.z.Clock.Now().Add(100*time.Hour))
		}
		run := func(span time.Duration) {
			l.z.Clock.Run(l.z.Clock.Now().Add(span), func() bool { return false })
		}
		run(5 * time.Hour) // each has told something an hour ago
		clear(l.calls)
		run(2 * time.Hour)
		if looks := l.calls["reader"] / jobs; looks == 0 || looks > most {
			t.Errorf("channel %d: each job is looked at %d times in two hours", by, looks)
		}
		if reports := l.calls["reporter"]; reports > jobs {
			t.Errorf("channel %d: what is said of %d jobs is thought over %d times in two hours", by, jobs, reports)
		}
	}
}
