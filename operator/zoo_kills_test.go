package operator

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/takt-dev/takt/operator/zoo/habit"
)

// crowd are fifty trainings with all kinds of habits on a cluster that has room for them as they were written.
func crowd(t *testing.T, seed int, dies bool) []*judged {
	random := rand.New(rand.NewPCG(50, uint64(seed)))
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
	if dies { // whoever lives for twenty seconds cannot watch a training for thirty
		for _, j := range all {
			j.unwatched = until
		}
	}
	l.z.Clock.Every(20*time.Second, func() bool {
		over := !l.z.Clock.Now().Before(until)
		switch {
		case over:
			l.writes = -1 // whoever is there now lives
		case dies:
			l.die(random.IntN(3))
		}
		return !over
	})
	l.until(all...)
	return all
}

// Whatever an operator that is killed every twenty seconds does not know is known to the next: no deadline is lost
// to it. Which jobs have bad luck, where GPUs just do, changes with every word that the planner learns; so three
// crowds count together, and two jobs of a hundred.
func TestFiftyJobsUnderAnOperatorThatIsKilledAllTheTime(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes")
	}
	var lives, dies [3][]*judged
	t.Run("crowd", func(t *testing.T) {
		for i := range lives {
			t.Run(fmt.Sprintf("%d whose operator lives", i), func(t *testing.T) { t.Parallel(); lives[i] = crowd(t, i, false) })
			t.Run(fmt.Sprintf("%d whose operator dies", i), func(t *testing.T) { t.Parallel(); dies[i] = crowd(t, i, true) })
		}
	})
	late := func(name string, crowds [3][]*judged) (jobs, late int) {
		for i, crowd := range crowds {
			for _, j := range crowd {
				jobs++
				if !j.met() {
					late++
					t.Logf("crowd %d whose operator %s: late by %s: %s, %d resizes, %s of work lost, stopped or taken back %d times",
						i, name, j.Ended.Sub(j.deadline).Round(time.Second), j.name, j.resizes, j.Lost.Round(time.Second), j.turns)
				}
			}
		}
		t.Logf("%d of %d are late whose operator %s", late, jobs, name)
		return jobs, late
	}
	_, alive := late("lives", lives)
	jobs, dead := late("dies", dies)
	for i, crowd := range dies {
		t.Run(fmt.Sprintf("what was done to crowd %d", i), func(t *testing.T) {
			for _, j := range crowd {
				j.blame(t)
			}
		})
	}
	if spare := jobs / 50; dead > alive+spare {
		t.Errorf("%d of %d are late, and only %d where the operator lives", dead, jobs, alive)
	}
}
