package stories

import (
	"slices"
	"testing"
	"time"

	"github.com/takt-dev/takt/operator/zoo/habit"
)

// Nobody can tell that a training is going to evaluate for long after its last step. The second run of its profile is
// told when it really ends, and has as many workers as that takes.
func TestStoryTheSecondRunCountsWhatComesAfterTheLastStep(t *testing.T) {
	l := newLoop(t)
	l.z.Nodes(1, 8)
	l.begin()
	animals := habit.Animals()
	at := slices.IndexFunc(animals, func(a habit.Animal) bool { return a.Closes > 0 })
	for i, run := range []string{"first", "second"} {
		training := l.z.Add(run, animals[at].Habits, 1, 4, 4)
		// Without what comes last it would be in time by ten minutes.
		j := l.judge(run, animals[at].Name, training, l.z.Clock.Now().Add(training.Takes(4)-10*time.Minute), true)
		l.takeAs(run, "evaluates", j.deadline)
		l.until(j)
		j.blame(t)
		in, all := j.held(false)
		if truth := float64(in) / float64(max(all, 1)); i == 1 && truth < 0.85 {
			t.Errorf("the %s run is told the truth in %.0f %% of %d looks", run, 100*truth, all)
		}
	}
}
