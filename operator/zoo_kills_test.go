package operator

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/takt-dev/takt/e2e/extent"
	"github.com/takt-dev/takt/operator/zoo/habit"
)

// crowd are trainings with all kinds of habits that come within a few minutes, on nodes of 8 GPUs.
type crowd struct {
	seed        uint64
	jobs, nodes int
	hours       float64 // that a training takes at most
	// least and most are how many times as long each has until its deadline as it takes at the size that it was written for.
	least, most float64
}

const (
	dieEvery = 20 * time.Second
	diesFor  = 30 * time.Minute
)

// play looks after a crowd until all have ended. Each process that begins after another was killed is to know what that
// one knew.
func (c crowd) play(t *testing.T, dies bool) []*judged {
	random := rand.New(rand.NewPCG(50, c.seed))
	l := newLoop(t)
	l.startLag = 3 * time.Second
	l.z.Nodes(c.nodes, 8)
	l.begin()
	animals, all := habit.Animals(), []*judged(nil)
	for i := range c.jobs {
		animal := animals[(i*max(1, len(animals)/c.jobs)+random.IntN(2))%len(animals)]
		animal.Ran, animal.Hours = 0, min(animal.Hours, c.hours)
		name := fmt.Sprintf("job-%d", i)
		training := l.z.Add(name, animal.Habits, 1, 4, most)
		left := training.Takes(4) + 2*(animal.Restart+animal.Compiles) + 2*time.Minute
		deadline := l.z.Clock.Now().Add(time.Duration(float64(left) * (c.least + random.Float64()*(c.most-c.least))))
		all = append(all, l.judge(name, animal.Name, training, deadline, false))
		l.take(name, deadline)
		l.z.Clock.Run(l.z.Clock.Now().Add(time.Duration(random.IntN(10))*time.Second), func() bool { return false })
	}
	if dies {
		l.kill(random)
	}
	h := l.heirs()
	l.until(all...)
	h.judge(t)
	return all
}

// kill has each process die after less than twenty seconds, for half an hour.
func (l *loop) kill(random *rand.Rand) {
	until := l.z.Clock.Now().Add(diesFor)
	l.z.Clock.Every(dieEvery, func() bool {
		over := !l.z.Clock.Now().Before(until)
		if over {
			l.writes = -1 // whoever is there now lives
		} else {
			l.die(random.IntN(3))
		}
		return !over
	})
}

// pairs counts jobs that were looked after twice: by an operator that lives, and by one that is killed all the time.
type pairs struct {
	mu sync.Mutex
	// onlyKilled are those that are late only where it is killed, and onlyLiving those that are late only where it lives.
	onlyKilled, onlyLiving int
}

func (p *pairs) add(onlyKilled, onlyLiving int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.onlyKilled, p.onlyLiving = p.onlyKilled+onlyKilled, p.onlyLiving+onlyLiving
}

// chance is how likely it would be by mere chance that so many of those that are late only once, or more, are late
// where the operator is killed: each would be as likely to be late where it lives.
func (p *pairs) chance() float64 {
	n, sum := p.onlyKilled+p.onlyLiving, 0.0
	ways := math.Exp2(-float64(n)) // for none of them, as a part of all ways
	for i := range n + 1 {
		if i >= p.onlyKilled {
			sum += ways
		}
		ways *= float64(n-i) / float64(i+1)
	}
	return sum
}

// judge has the crowd looked after by an operator that lives, and by one that is killed all the time, and compares them job
// by job. Which of two jobs that are at the edge gets the GPUs that are free just then changes with each moment at which
// it is planned: that one of them is late says nothing, and how many are does.
func (c crowd) judge(t *testing.T, p *pairs) {
	lives, dies := c.play(t, false), c.play(t, true)
	late, onlyKilled, onlyLiving := [2]int{}, 0, 0
	for i, j := range dies {
		j.blame(t)
		for k, of := range []*judged{lives[i], j} {
			if !of.met() {
				late[k]++
			}
		}
		switch {
		case lives[i].met() && !j.met():
			onlyKilled++
			t.Logf("job %d, which %s, is late by %s, and in time by %s where the operator lives", i, j.name, j.Ended.Sub(j.deadline), j.deadline.Sub(lives[i].Ended))
		case !lives[i].met() && j.met():
			onlyLiving++
		}
	}
	t.Logf("%d of %d are late, and %d where the operator lives", late[1], c.jobs, late[0])
	if most := late[0] + c.jobs/50; late[1] > most { // whoever they are
		t.Errorf("%d of %d are late, and only %d where the operator lives", late[1], c.jobs, late[0])
	}
	p.add(onlyKilled, onlyLiving)
}

// Whatever an operator that is killed every twenty seconds knows is known to the next: no deadline is lost to it, though
// the GPUs just do for all.
func TestFiftyJobsUnderAnOperatorThatIsKilledAllTheTime(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes")
	}
	all := &pairs{}
	t.Cleanup(func() { // when all crowds have ended
		t.Logf("%d are late only where the operator is killed, and %d only where it lives", all.onlyKilled, all.onlyLiving)
		if chance := all.chance(); chance < 0.05 {
			t.Errorf("%d are late only where the operator is killed, and %d only where it lives: by chance that would be so with a probability of %.2g",
				all.onlyKilled, all.onlyLiving, chance)
		}
	})
	for seed := range uint64(3) {
		t.Run(fmt.Sprintf("crowd %d", seed), func(t *testing.T) {
			t.Parallel()
			crowd{seed: seed, jobs: 50, nodes: 25, hours: 1, least: 1.25, most: 1.75}.judge(t, all)
		})
	}
}

// Where there is time to spare, nobody is late, whether the operator is killed or not.
func TestFiftyJobsWithTimeToSpareAreAllInTime(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes")
	}
	for name, dies := range map[string]bool{"lives": false, "dies": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			crowd{seed: 5, jobs: 50, nodes: 25, hours: 1, least: 1.75, most: 2.5}.inTime(t, dies)
		})
	}
}

// Twelve of all that there are, others each time, have time and GPUs to spare.
func TestTwelveJobsUnderAnOperatorThatIsKilledAllTheTime(t *testing.T) {
	seeds := make([]uint64, 1000)
	for i := range seeds {
		seeds[i] = uint64(i)
	}
	crowd{seed: extent.One(t, seeds, "crowd"), jobs: 12, nodes: 8, hours: 0.5, least: 1.75, most: 2.5}.inTime(t, true)
}

// Where the GPUs just do for all, and jobs give way to each other all the time, each process plans as the one before it
// would, though it has read nothing yet.
func TestAFreshProcessPlansAsTheOneThatWasKilledWould(t *testing.T) {
	for _, j := range (crowd{seed: 3, jobs: 16, nodes: 8, hours: 0.5, least: 1.25, most: 1.75}).play(t, true) {
		j.blame(t)
	}
}

// inTime has nobody of a crowd late, and no harm done.
func (c crowd) inTime(t *testing.T, dies bool) {
	for i, j := range c.play(t, dies) {
		j.blame(t)
		if !j.met() {
			t.Errorf("job %d, which %s, is late by %s, after %d resizes", i, j.name, j.Ended.Sub(j.deadline), j.resizes)
		}
	}
}
