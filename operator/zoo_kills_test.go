package operator

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/takt-dev/takt/operator/zoo/habit"
)

// crowd are fifty trainings with all kinds of habits on a cluster that has room for them as they were written.
func crowd(t *testing.T, dies bool) []*judged {
	random := rand.New(rand.NewPCG(50, 1))
	l := newLoop(t)
	l.startLag = 3 * time.Second
	l.z.Nodes(25, 8)
	l.begin()
	animals, all := habit.Animals(), []*judged(nil)
	for i := range 50 {
		animal := animals[(i+random.IntN(2))%len(animals)]
		animal.Ran, animal.Hours = 0, min(animal.Hours, 1)
		name := fmt.Sprintf("job-%d", i)
		training := l.z.Add(name, animal.Habits, 1, 4, most)
		left := training.Takes(4) + 2*(animal.Restart+animal.Compiles) + 2*time.Minute
		deadline := l.z.Clock.Now().Add(time.Duration(float64(left) * (1.25 + random.Float64()/2)))
		all = append(all, l.judge(name, animal.Name, training, deadline, false))
		l.take(name, deadline)
		l.z.Clock.Run(l.z.Clock.Now().Add(time.Duration(random.IntN(10))*time.Second), func() bool { return false })
	}
	until := l.z.Clock.Now().Add(30 * time.Minute)
	l.z.Clock.Every(20*time.Second, func() bool {
		if dies {
			l.die(random.IntN(3))
		}
		return l.z.Clock.Now().Before(until)
	})
	l.until(all...)
	return all
}

// Whatever an operator that is killed every twenty seconds does not know is known to the next: no deadline is lost
// to it.
func TestFiftyJobsUnderAnOperatorThatIsKilledAllTheTime(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes")
	}
	var lives, dies []*judged
	t.Run("both", func(t *testing.T) {
		t.Run("it lives", func(t *testing.T) { t.Parallel(); lives = crowd(t, false) })
		t.Run("it dies", func(t *testing.T) { t.Parallel(); dies = crowd(t, true) })
	})
	late, alive := 0, 0
	for i, j := range dies {
		j.blame(t)
		if !j.met() {
			late++
			t.Logf("late by %s: %s, %d resizes, %s of work lost, stopped or taken back %d times", j.Ended.Sub(j.deadline).Round(time.Second), j.name, j.resizes, j.Lost.Round(time.Second), j.turns)
		}
		if k := lives[i]; !k.met() {
			alive++
			t.Logf("late where it lives by %s: %s, %d resizes, %s of work lost, stopped or taken back %d times", k.Ended.Sub(k.deadline).Round(time.Second), k.name, k.resizes, k.Lost.Round(time.Second), k.turns)
		}
	}
	t.Logf("%d of %d are late, and %d where it lives", late, len(dies), alive)
	if spare := len(dies) / 25; late > max(alive, spare) { // which jobs have bad luck is another each time
		t.Errorf("%d of %d are late, and only %d where it lives", late, len(dies), alive)
	}
}
