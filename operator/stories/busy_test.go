package stories

import (
	"fmt"
	"testing"
	"time"

	"github.com/takt-dev/takt/operator/zoo/habit"
)

// Trainings that go on as they are taken to call for no more plans the more of them there are, nor the more often they
// tell how far they are: a plan could not decide anything else.
func TestStoryTrainingsThatGoOnCallForFewPlans(t *testing.T) {
	const mostInAMinute = 3
	for _, jobs := range []int{2, 12} {
		t.Run(fmt.Sprintf("%d jobs", jobs), func(t *testing.T) {
			t.Parallel()
			l := newLoop(t)
			l.z.Nodes(jobs, 1)
			l.begin()
			for i := range jobs {
				name, habits := fmt.Sprintf("job-%d", i), habit.Animals()[0].Habits
				habits.By, habits.Tells, habits.Hours = habit.Annotation, 500*time.Millisecond, 20
				l.z.Add(name, habits, 1, 1, 1)
				l.take(name, l.z.Clock.Now().Add(100*time.Hour))
			}
			run := func(span time.Duration) {
				l.z.Clock.Run(l.z.Clock.Now().Add(span), func() bool { return false })
			}
			run(20 * time.Minute)
			clear(l.calls)
			const minutes = 10
			run(minutes * time.Minute)
			t.Logf("%v", l.calls)
			if plans := l.calls["planner"]; plans > minutes*mostInAMinute {
				t.Errorf("%d plans are made in %d minutes", plans, minutes)
			}
		})
	}
}
