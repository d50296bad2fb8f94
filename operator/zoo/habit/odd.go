package habit

import (
	"fmt"
	"math"
	"time"
)

// Odd are the habits that strangers have beside those of our own animals.
type Odd struct {
	// Stages are the speeds in equal parts of the work, as parts of the usual one.
	Stages []float64
	// After each start it is ColdBy times slower for Cools.
	Cools  time.Duration
	ColdBy float64
	// Most is the most steps a second that its storage gives.
	Most float64
	// For Busy of each three hours the storage makes it BusyBy times slower.
	Busy   time.Duration
	BusyBy float64
	// EvalGrows and SaveGrows are how many times as long an evaluation and a save take at the end.
	EvalGrows, SaveGrows float64
	// Stops is where it stops early: its total is said to be as much larger.
	Stops float64
	// Folds are how often it counts from zero to its total.
	Folds int
	// Says is another way to say how far it is.
	Says string
	// Replays is how much longer a restart takes at the end of its work than at the beginning.
	Replays time.Duration
	// Creeps is by what part it gets slower in each hour since its last start.
	Creeps float64
	// Sorted: within an epoch it begins at this part of its speed, and ends as much above.
	Sorted float64
	// Buffered is how many lines its output holds back.
	Buffered int
	// KnowsLate says that it knows its total only after the first epoch.
	KnowsLate bool
	// Spot is the mean time between its losses of a node, of irregular lengths.
	Spot time.Duration
	// Seldom is how often it tells after its first ten minutes.
	Seldom time.Duration
	// Throttled is what part of its speed is left 20 min after a start.
	Throttled float64
	// CountsOn says that the counter of steps goes on after a change of size, though the total of steps is another one:
	// each worker has a batch of its own.
	CountsOn bool
	// Across is what part of its speed is left where its workers are on several nodes.
	Across float64
}

// Lived says that only living it tells how long it takes: one second does more than another.
func (h Habits) Lived() bool { return h.Odd.lived() || h.Site.lived() }

func (o Odd) lived() bool {
	return len(o.Stages) > 0 || o.Cools > 0 || o.Busy > 0 || o.EvalGrows > 0 || o.SaveGrows > 0 || o.Replays > 0 ||
		o.Creeps > 0 || o.Sorted > 0 || o.Spot > 0 || o.Throttled > 0
}

// never says that its past never tells what is to come.
func (o Odd) never() bool {
	grows := o.EvalGrows > 0 || o.SaveGrows > 0 || o.Creeps > 0
	return grows || len(o.Stages) > 0 || o.Stops > 0 || o.Folds > 0 || o.CountsOn
}

// shows is how long it goes on until it has shown all of them once.
func (o Odd) shows() time.Duration {
	after := o.Cools
	if o.Busy > 0 {
		after = max(after, 3*time.Hour)
	}
	if o.Throttled > 0 {
		after = max(after, 25*time.Minute)
	}
	return max(after, o.Spot)
}

// odd is the part of its speed that is left by its odd habits.
func (l *Life) odd(share float64) float64 {
	part := 1.0
	if n := len(l.Stages); n > 0 {
		part *= l.Stages[min(n-1, int(share*float64(n)))]
	}
	if l.age < l.Cools {
		part /= l.ColdBy
	}
	if l.Busy > 0 && (l.ran+time.Hour)%(3*time.Hour) > 3*time.Hour-l.Busy {
		part /= l.BusyBy
	}
	if l.Creeps > 0 {
		part /= 1 + l.Creeps*l.age.Hours()
	}
	if l.Throttled > 0 && l.age > 20*time.Minute {
		part *= l.Throttled
	}
	if l.Sorted > 0 {
		in := math.Mod(share*float64(l.Epochs), 1)
		part *= l.Sorted + 2*(1-l.Sorted)*in
	}
	return part
}

// falls says that it loses a node in this second.
func (l *Life) falls() bool {
	if l.Spot == 0 {
		return false
	}
	x := uint64(l.ran/time.Second)*2654435761 + uint64(l.Total)
	x ^= x >> 29
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 32
	x *= 0x94d049bb133111eb
	x ^= x >> 29
	return float64(x%1000000)/1e6 < 1/l.Spot.Seconds()
}

// grown is how long something takes by now that takes so many times as long at the end.
func (l *Life) grown(span time.Duration, by float64) time.Duration {
	if by == 0 {
		return span
	}
	return time.Duration(float64(span) * (1 + (by-1)*l.Steps/l.Total))
}

// Rest is how long the rest takes, by living it.
func (l *Life) Rest(steps float64) time.Duration {
	copied := *l
	copied.silent = true
	took := time.Duration(0)
	for !copied.Over() && took < 100*time.Hour {
		copied.Second(steps)
		took += time.Second
	}
	return took
}

// saysOdd is how far it is, by ways that others do not know.
func (l *Life) saysOdd(done, total float64) string {
	switch l.Says {
	case "tqdm":
		return bar("", done, total)
	case "hf":
		return bar("", done, total) // its evaluation looks alike
	case "lightning":
		epoch := int(l.Steps / l.Total * float64(l.Epochs))
		each := total / float64(l.Epochs)
		return bar(fmt.Sprintf("Epoch %d", epoch), done-float64(epoch)*each, each)
	case "keras":
		epoch := int(l.Steps / l.Total * float64(l.Epochs))
		each := total / float64(l.Epochs)
		return fmt.Sprintf("%d/%d ━━━━━━━━━━━━━━━━━━━━ 12s 45ms/step - accuracy: 0.8123 - loss: 0.4242",
			int(done-float64(epoch)*each), int(each))
	case "losses":
		return "loss=0.42 lr=0.001"
	case "megatron":
		return fmt.Sprintf(" [2026-01-01 10:00:00] iteration %8d/%8d | consumed samples: %12d | elapsed time per "+
			"iteration (ms): 200.0 | learning rate: 1.000000E-04 | global batch size:    32 | lm loss: 4.200000E+00 |",
			int(done), int(total), int(done*32))
	}
	return ""
}

// bar is how tqdm says it.
func bar(lead string, done, total float64) string {
	if lead != "" {
		lead += ": "
	}
	return fmt.Sprintf("%s%3d%%|███       | %d/%d [05:00<10:00,  1.61it/s]", lead, int(100*done/total), int(done),
		int(total))
}

// besides is what it prints while it does not train.
func (l *Life) besides() string {
	if l.silent || l.Says == "" || int(l.ran/time.Second)%10 != 0 {
		return ""
	}
	part := l.spell.Seconds() / max(l.Evaluates.Seconds(), 1)
	switch {
	case l.idle > 0 && l.Zeroes:
		return bar("", 0, l.Total)
	case l.idle > 0 && l.Says == "hf":
		at := 1 - min(1, l.idle.Seconds()/max((l.Compiles+l.Restart).Seconds(), 1))
		return fmt.Sprintf("Map: %3d%%|███       | %d/%d [00:05<00:10, 1234.56 examples/s]", int(100*at), int(50000*at),
			50000)
	case l.idle > 0 && l.Says == "lightning":
		return "Sanity Checking DataLoader 0: 100%|██████████| 2/2 [00:01<00:00,  1.61it/s]"
	case l.resting && l.Says == "hf":
		return bar("", 200*part, 200)
	case l.resting && l.Says == "lightning":
		return bar("Validation DataLoader 0", 200*part, 200)
	case l.resting && l.Says == "keras":
		return fmt.Sprintf("%d/200 ━━━━━━━━━━━━━━━━━━━━ 12s 45ms/step - accuracy: 0.8123 - loss: 0.4242", int(200*part))
	}
	return ""
}
