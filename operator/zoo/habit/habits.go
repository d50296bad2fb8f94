package habit

import (
	"math"
	"time"
)

// Habits are how a training behaves. The zero value trains at one step a second and says nothing.
type Habits struct {
	// Hours are what the work takes with all the workers that it was written for, without what it does besides.
	Hours float64
	// Speed is how many steps a second one worker does, and Scaling how much of each further worker is gained:
	// n workers do Speed·n^Scaling.
	Speed, Scaling float64
	// Epochs are how many the work is divided into.
	Epochs int

	// Compiles is how long it takes from each start to the first step, and Restart how long a training takes to
	// go on after its workers have changed.
	Compiles, Restart time.Duration
	// Trains and Evaluates take turns. Saves is how long it saves for, every SavesEvery; both are of the wall clock.
	Trains, Evaluates time.Duration
	SavesEvery, Saves time.Duration
	// Closes is how long it goes on after its last step: it evaluates once more, and gives away what it has trained.
	Closes time.Duration
	// Forgets says that it has no checkpoints; any other goes on from its last after a restart.
	Forgets bool
	// Warm is what a first epoch is slower by; Drift is the speed at the end, as a part of that at the beginning,
	// and Halves says that it comes at once, in the middle.
	Warm, Drift float64
	Halves      bool
	// Straggles says that for five minutes of every half an hour it is half as fast.
	Straggles bool
	// Crashes says that it falls every so often, and is started again in place.
	Crashes time.Duration
	// ExitsZero says that a worker exits with 0 when it is told to leave.
	ExitsZero bool

	// By is where it tells, and Tells how often; Each says that it tells each epoch.
	By    Channel
	Tells time.Duration
	Each  bool
	// As is what it says.
	As Form
	// Twice says that everything is told twice, and Late that it is told again after what came next, as
	// by a slower process. Burst is how many are told together, within milliseconds.
	Twice, Late bool
	Burst       int
	// Rank is which of its workers tells, where it does by its log.
	Rank Rank
	// Revised is what the total turns out to be at half of it, as a part of what was said at first.
	Revised float64
	// TellsSaves says that it tells of its checkpoints.
	TellsSaves bool
	// Unreachable says that for eight minutes of every quarter of an hour its node gives nobody its output.
	Unreachable bool
	// Divides says that each worker has a batch of its own: the more workers, the fewer steps there are.
	Divides bool
	// Anew says that its counter begins at zero after each restart, though the work does not.
	Anew bool

	// Odd are habits of strangers.
	Odd
	// Site are habits of visitors.
	Site

	// Cold says that it cannot change its size while it trains.
	Cold bool
	// Ran is how long it has run when it is first seen.
	Ran time.Duration
}

// Rate is how many steps a second some workers do.
func (h Habits) Rate(workers int) float64 {
	rate := h.Speed * math.Pow(float64(h.busy(workers)), h.Scaling)
	if workers < h.Offloads {
		rate /= 3
	}
	if h.Most > 0 {
		rate = min(rate, h.Most)
	}
	return rate
}

// Work is how many steps there are to do, for a training that was written for some workers.
func (h Habits) Work(written int) float64 { return h.Hours * 3600 * h.Rate(written) }

// Shows is how long a training goes on until it has shown all of its habits once: before, nobody can tell that it has
// them, nor when it will end. False is one whose past never tells: its speed or its total is going to be another, or it
// goes on after its last step.
func (h Habits) Shows() (after time.Duration, ever bool) {
	if h.Revised > 0 || h.Drift > 0 || h.Closes > 0 || h.never() {
		return 0, false
	}
	if h.Evaluates > 0 {
		after = h.Trains + h.Evaluates
	}
	if h.Straggles {
		after = max(after, straggles)
	}
	after = max(after, h.shows())
	if h.Warm > 0 {
		after = max(after, time.Duration(h.Warm*h.Hours/float64(h.Epochs)*float64(time.Hour)))
	}
	return max(after, h.Crashes+h.Restart, h.SavesEvery+h.Saves), true
}

// straggles is how often a straggler does.
const straggles = 30 * time.Minute

// Channel is where a training tells its progress.
type Channel int

// Channels.
const (
	Log Channel = iota
	Annotation
)

// Rank is which worker of a training tells its progress.
type Rank int

// Ranks.
const (
	First Rank = iota
	Last       // as of Megatron
	Any        // where ranks go by the addresses of nodes: after each restart another one
)

// Form is what a training says of its progress.
type Form int

// Forms.
const (
	Steps        Form = iota // step 420/1000
	Percents                 // 42%
	PerEpoch                 // epoch 3/10 and step 20/500 of it
	StepsAlone               // step 420, and a total that is written on the job
	EpochsAlone              // epoch 3/10
	WithoutTotal             // step 420, and nobody knows how many there are
)
