package learn

import (
	"math"
	"math/rand/v2"
	"time"
)

// hunted is a training as it really is, whose workers change while it trains. Times are seconds since dawn, and work is
// counted in steps.
type hunted struct {
	*rand.Rand

	one, gain float64 // how fast one worker is, and by which power of their number more are
	evalEvery float64 // 0 is never
	evalTakes float64
	saveEvery float64 // 0 is never
	keeps     bool    // who meets goes on with what the others have in memory
	loads     float64 // how long a new worker takes until it can take part
	pauses    float64 // how long all pause who meet

	now, done, saved float64
	workers          int     // who train
	resumes          float64 // until when it pauses
	anew             bool    // it is to load its checkpoint then
	evaluates, saves float64 // when it does so next
	savedAt          float64
	meetings         []meeting
	crashes, crashed float64 // when it is to crash, and when it has; 0 if it does not, or has not

	changes []*changed
}

// meeting is when others than so far begin to train together.
type meeting struct {
	at   float64
	with int
}

// changed is what a change of the workers really costs.
type changed struct {
	at, resumed float64
	lost        float64 // the time in which those before have done what is done once more
	met         bool
	blurred     bool // something else happened before it was over: nobody can tell what has cost what
}

func newHunted(random *rand.Rand) *hunted {
	j := &hunted{Rand: random, keeps: random.IntN(4) == 0, workers: []int{1, 2, 4}[random.IntN(3)]}
	j.one, j.gain = math.Exp(j.between(math.Log(0.3), math.Log(5))), j.between(0.6, 0.97)
	j.loads, j.pauses = j.between(1, 50), j.between(1, 20)
	if random.IntN(2) == 0 {
		j.evalEvery, j.evalTakes = j.between(40, 200), j.between(2, 12)
	}
	if !j.keeps && random.IntN(3) > 0 {
		j.saveEvery = j.between(15, 150)
	}
	starts := j.loads * j.between(0.7, 1.3)
	if random.IntN(3) == 0 { // what it needs is there already
		starts = j.between(1, 4)
	}
	j.pauseFor(starts)
	return j
}

func (j *hunted) between(least, most float64) float64 { return least + (most-least)*j.Float64() }

// moving is how fast so many workers are while they train, and wall by the wall clock.
func (j *hunted) moving(workers int) float64 { return j.one * math.Pow(float64(workers), j.gain) }

func (j *hunted) wall(workers int) float64 {
	if j.evalEvery == 0 {
		return j.moving(workers)
	}
	return j.moving(workers) * j.evalEvery / (j.evalEvery + j.evalTakes)
}

// train goes on for a moment.
func (j *hunted) train(step float64) {
	j.now += step
	if len(j.meetings) > 0 && j.now >= j.meetings[0].at {
		j.meet(j.meetings[0].with)
		j.meetings = j.meetings[1:]
	}
	if j.crashes > 0 && j.now >= j.crashes {
		j.crash()
	}
	switch {
	case j.now < j.resumes:
	case j.evalEvery > 0 && j.now >= j.evaluates:
		j.resumes, j.evaluates = j.now+j.evalTakes, j.now+j.evalTakes+j.evalEvery
	default:
		j.load()
		j.done += step * j.moving(j.workers) * math.Exp(0.05*j.NormFloat64())
		if j.saveEvery > 0 && j.now >= j.saves {
			j.saved, j.savedAt, j.saves = math.Floor(j.done), j.now, j.now+j.saveEvery
		}
	}
}

// change has others train, once they meet. New workers load first, after some time in which they cannot; that one has
// gone is noticed at some time.
func (j *hunted) change(to int, after float64) {
	before := j.last()
	c := &changed{at: j.now, blurred: before != nil && (!before.met || j.now < before.resumed+30)}
	if c.blurred {
		before.blurred = true
	}
	j.changes = append(j.changes, c)
	notice := 15 * j.Float64() * j.Float64()
	if to > j.workers {
		notice = after + j.loads*j.between(0.7, 1.3)
	}
	j.meetings = []meeting{{j.now + notice, to}}
}

// loses has one worker fall, without whom the others go on until it can load again.
func (j *hunted) loses(after float64) {
	j.blur()
	back := j.now + after + j.loads*j.between(0.7, 1.3)
	j.meetings = []meeting{{j.now, j.workers - 1}, {back, j.workers}}
}

func (j *hunted) last() *changed {
	if len(j.changes) == 0 {
		return nil
	}
	return j.changes[len(j.changes)-1]
}

// blur takes note that something happens beside the last change.
func (j *hunted) blur() {
	if c := j.last(); c != nil && (!c.met || j.now < c.resumed+60) {
		c.blurred = true
	}
	j.crashed = j.now
}

func (j *hunted) meet(with int) {
	j.load()
	lost := 0.0
	if j.anew = !j.keeps; j.anew {
		lost = (j.done - j.saved) / j.moving(j.workers)
	}
	j.workers = with
	j.pauseFor(j.pauses * j.between(0.7, 1.3))
	if c := j.last(); c != nil && !c.met {
		c.met, c.resumed, c.lost = true, j.resumes, lost
	}
}

// crash has all begin anew where they are.
func (j *hunted) crash() {
	j.blur()
	j.crashes, j.anew = 0, true
	j.pauseFor(j.pauses * j.between(1, 2))
}

// load goes back to the last checkpoint, where all begin anew: what they have done is shown until then.
func (j *hunted) load() {
	if j.anew {
		j.anew, j.done = false, j.saved
	}
}

// pauseFor has nobody train for a while, and all that comes again begin anew.
func (j *hunted) pauseFor(seconds float64) {
	j.resumes = j.now + seconds
	j.evaluates, j.saves = j.resumes+j.evalEvery*j.Float64(), j.resumes+j.saveEvery*j.Float64()
}

func second(s float64) time.Time { return dawn.Add(time.Duration(s * float64(time.Second))) }
