package stories

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/takt-dev/takt/e2e/lib/extent"
	"github.com/takt-dev/takt/operator/zoo/habit"
)

// crowd are trainings with all kinds of habits that come within a few minutes, on nodes of 8 GPUs.
type crowd struct {
	seed        uint64
	jobs, nodes int
	hours       float64 // that a training takes at most
	// least and most are how many times as long each has until its deadline as it takes at the size that it was written
	// for.
	least, most float64
}

const (
	writtenFor = 4 // workers, each of a crowd
	dieEvery   = 20 * time.Second
	diesFor    = 30 * time.Minute
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
		training := l.z.Add(name, animal.Habits, 1, writtenFor, most)
		left := training.Takes(writtenFor) + 2*(animal.Restart+animal.Compiles) + 2*time.Minute
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

// tellsTooLate says that a training has not told anything twice by the middle of its time, so that nobody knows its
// speed.
func (j *judged) tellsTooLate() bool {
	return !j.Life.Each && (j.Life.Tells == 0 || 2*j.Life.Tells > j.deadline.Sub(j.seen)/2)
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

// judge has the crowd looked after by an operator that lives, and by one that is killed all the time: whoever is in
// time with the one is with the other. Who comes a moment later to a full cluster begins with fewer workers than it was
// written for: one whose speed nobody knows for most of its time keeps these, as a change could cost it all that it has
// done, and it may be late for that alone. So may one by no more than what it does after its last step, of which nobody
// can know before.
func (c crowd) judge(t *testing.T) {
	lives, dies := c.play(t, false), c.play(t, true)
	late, excused := [2]int{}, 0
	for i, j := range dies {
		j.blame(t)
		for k, of := range []*judged{lives[i], j} {
			if !of.met() {
				late[k]++
			}
		}
		unlucky := j.begins < lives[i].begins && j.tellsTooLate()
		surprises := j.Ended.Sub(j.deadline) <= j.Life.Closes
		switch {
		case !lives[i].met() || j.met():
		case unlucky || surprises:
			excused++
			t.Logf("job %d, which %s, is late by %s, and in time where the operator lives: nobody could know", i, j.name,
				j.Ended.Sub(j.deadline))
		default:
			t.Errorf("job %d, which %s, is late by %s, and in time by %s where the operator lives", i, j.name,
				j.Ended.Sub(j.deadline), j.deadline.Sub(lives[i].Ended))
		}
	}
	t.Logf("%d of %d are late, %d of them excused, and %d where the operator lives", late[1], c.jobs, excused, late[0])
	if most := c.mostExcused(); excused > most {
		t.Errorf("%d are late as nobody could know better: %d of %d may be", excused, most, c.jobs)
	}
}

// Whatever an operator that is killed every twenty seconds knows is known to the next: no deadline is lost to it,
// though the GPUs just do for all.
func TestStoryFiftyJobsUnderAnOperatorThatIsKilledAllTheTime(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes")
	}
	for seed := range uint64(3) {
		t.Run(fmt.Sprintf("crowd %d", seed), func(t *testing.T) {
			t.Parallel()
			crowd{seed: seed, jobs: 50, nodes: 25, hours: 1, least: 1.25, most: 1.75}.judge(t)
		})
	}
}

// Where there is time to spare, nobody is late, whether the operator is killed or not.
func TestStoryFiftyJobsWithTimeToSpareAreAllInTime(t *testing.T) {
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
func TestStoryTwelveJobsUnderAnOperatorThatIsKilledAllTheTime(t *testing.T) {
	crowd{seed: extent.One(t, extent.First(1000), "crowd"), jobs: 12, nodes: 8, hours: 0.5, least: 1.75,
		most: 2.5}.inTime(t, true)
}

// Where the GPUs just do for all, and jobs give way to each other all the time, each process plans as the one before it
// would, though it has read nothing yet.
func TestStoryAFreshProcessKnowsWhatTheOneBeforeItKnew(t *testing.T) {
	for _, j := range (crowd{seed: 3, jobs: 16, nodes: 8, hours: 0.5, least: 1.25, most: 1.75}).play(t, true) {
		j.blame(t)
	}
}

// inTime has nobody of a crowd late whose speed can be known, and no harm done.
func (c crowd) inTime(t *testing.T, dies bool) {
	excused := 0
	for i, j := range c.play(t, dies) {
		j.blame(t)
		if unlucky := j.begins < writtenFor && j.tellsTooLate(); !j.met() && unlucky {
			excused++
			t.Logf("job %d, which %s, began with %d workers and is late by %s", i, j.name, j.begins, j.Ended.Sub(j.deadline))
		} else if !j.met() {
			t.Errorf("job %d, which %s, is late by %s, after %d resizes", i, j.name, j.Ended.Sub(j.deadline), j.resizes)
		}
	}
	t.Logf("%d of %d are late, and excused", excused, c.jobs)
	if most := c.mostExcused(); excused > most {
		t.Errorf("%d are late as nobody could know better: %d of %d may be", excused, most, c.jobs)
	}
}

// mostExcused is how many of a crowd may be late as nobody could know better: a tenth.
func (c crowd) mostExcused() int { return max(1, c.jobs/10) }
