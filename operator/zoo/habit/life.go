package habit

import (
	"fmt"
	"math"
	"time"
)

// Life is one training with its habits. It knows no workers: whoever plays it says how fast they are, and when
// they change.
type Life struct {
	Habits

	// Total is the work in steps, Steps those that are done, and Saved those that a restart does not lose.
	Total, Steps, Saved float64
	// Again counts the steps that were lost, and are to be done again.
	Again float64
	// Among is how many workers train; it counts only for one that Divides.
	Among int

	idle    time.Duration // until it goes on
	spell   time.Duration // how long it has trained, or evaluated, in this turn
	resting bool
	since   time.Duration // the last save
	saving  time.Duration
	age     time.Duration // since its workers last changed
	ran     time.Duration // since it first trained
	began   float64       // what was done when its counter last began at zero
	told    time.Duration // since it last told
	epoch   int           // that it last told of
	kept    string        // what it has said, and is to say again
	closing time.Duration // since its last step
	silent  bool
	held    []string // what its output holds back
	fold    int
	over    int // by Among
	fell    int
	writes  float64       // what is being saved
	behind  time.Duration // until it is
}

// New is a training of so many steps that has done nothing yet.
func New(h Habits, total float64) Life { return Life{Habits: h, Total: total, epoch: -1, fold: -1} }

// Begin has its first workers begin.
func (l *Life) Begin() {
	l.idle, l.over = l.Compiles+l.Restart+l.First+time.Duration(l.Among)*l.PerWorker, l.Among
}

// Idles says that its workers have yet to compile, or to start again.
func (l *Life) Idles() bool { return l.idle > 0 }

// Second is one second in which its workers do so many steps, and what it says meanwhile.
func (l *Life) Second(steps float64) (said []string) {
	l.age += time.Second
	l.ran += time.Second
	if l.idle > 0 {
		l.idle -= time.Second
		if also := l.besides(); also != "" {
			return []string{also}
		}
		return nil
	}
	l.writeBehind()
	if l.stuck() {
		return nil
	}
	if l.falls() {
		l.GoBack()
		return nil
	}
	if l.Crashes > 0 && l.age >= l.Crashes {
		l.GoBack()
		return nil
	}
	if l.Steps >= l.Total {
		l.closing += time.Second
		return nil
	}
	if l.save() && l.TellsSaves {
		said = append(said, fmt.Sprintf("Saved checkpoint to /data/step-%d.pt", int(l.Steps)))
	}
	if l.saving > 0 {
		l.saving -= time.Second
	} else if l.turn() {
		l.Steps = min(l.Total, l.Steps+steps*l.slowness())
	}
	if l.silent {
		return nil
	}
	if also := l.besides(); also != "" {
		said = append(said, also)
	}
	said = append(said, l.tell()...)
	if l.Buffered > 0 {
		if l.held = append(l.held, said...); len(l.held) < l.Buffered && l.Steps < l.Total {
			return nil
		}
		said, l.held = l.held, nil
	}
	return said
}

// Over says that it has done all, and has closed.
func (l *Life) Over() bool { return l.Steps >= l.Total && l.closing >= l.Closes }

// GoBack has it go on from where it last saved, as all its workers are started again.
func (l *Life) GoBack() {
	back := l.Kept()
	l.Again += l.Steps - back
	l.Steps, l.idle, l.age, l.saving, l.since, l.spell, l.resting = back, l.Restart+l.Compiles, 0, 0, 0, 0, false
	l.closing, l.held, l.behind = 0, nil, 0
	l.idle += time.Duration(l.Among) * l.PerWorker
	l.idle += time.Duration(float64(l.Replays) * back / l.Total)
	if l.CountsOn && l.over > 0 && l.Among > 0 {
		by := float64(l.Among) / float64(l.over)
		l.Steps, l.Saved = min(l.Total, l.Steps*by), min(l.Total, l.Saved*by)
	}
	l.over = l.Among
	if l.Anew {
		l.began = l.Steps
	}
	l.epoch, l.fold, l.kept = -1, -1, "" // who names its epoch names it again
}

// Kept is what a restart at this moment would leave.
func (l *Life) Kept() float64 {
	if l.Forgets {
		return 0
	}
	return l.Saved
}

// save keeps what is done, every so often, and says if it does.
func (l *Life) save() bool {
	if l.Forgets || l.SavesEvery == 0 {
		return false
	}
	if l.since += time.Second; l.since < l.SavesEvery {
		return false
	}
	if l.Behind > 0 {
		l.since, l.writes, l.behind = 0, l.Steps, l.Behind
		return true
	}
	l.since, l.Saved, l.saving = 0, l.Steps, l.grown(l.Saves, l.SaveGrows)
	return true
}

// turn says whether it trains in this second: it may evaluate.
func (l *Life) turn() bool {
	if l.Evaluates == 0 {
		return true
	}
	l.spell += time.Second
	switch {
	case l.resting && l.spell > l.grown(l.Evaluates, l.EvalGrows):
		l.resting, l.spell = false, time.Second
	case !l.resting && l.spell > l.Trains:
		l.resting, l.spell = true, time.Second
	}
	return !l.resting
}

// slowness is the part of its speed that it has at this moment.
func (l *Life) slowness() float64 {
	share, part := l.Steps/l.Total, 1.0
	switch {
	case l.Drift > 0 && l.Halves && share >= 0.5:
		part = l.Drift
	case l.Drift > 0 && !l.Halves:
		part = 1 + (l.Drift-1)*share
	}
	if l.Warm > 1 && l.Epochs > 0 && share < 1/float64(l.Epochs) {
		part /= l.Warm
	}
	if l.Straggles && l.ran%straggles > 25*time.Minute {
		part /= 2
	}
	return part * l.odd(share) * l.swing()
}

// Lasts is how long all of its work takes with workers that do so many steps a second, from the first step on
// and if nobody comes or leaves.
func (l *Life) Lasts(steps float64) time.Duration {
	if l.Lived() {
		fresh := New(l.Habits, l.Total)
		return fresh.Rest(steps)
	}
	trains := l.Total / steps
	slower := 1.0
	switch {
	case l.Drift > 0 && l.Halves:
		slower = 0.5 + 0.5/l.Drift
	case l.Drift > 0:
		slower = math.Log(l.Drift) / (l.Drift - 1)
	}
	if l.Warm > 1 && l.Epochs > 0 {
		slower += (l.Warm - 1) / float64(l.Epochs)
	}
	if l.Straggles {
		slower *= 6.0 / 5.5
	}
	trains *= slower
	if l.Evaluates > 0 {
		trains *= 1 + l.Evaluates.Seconds()/l.Trains.Seconds()
	}
	if l.Saves > 0 {
		trains *= 1 / (1 - l.Saves.Seconds()/l.SavesEvery.Seconds())
	}
	if l.Crashes > 0 {
		trains *= 1 + (l.Restart+l.Compiles+l.SavesEvery/2).Seconds()/l.Crashes.Seconds()
	}
	return time.Duration(trains*float64(time.Second)) + l.Closes
}
