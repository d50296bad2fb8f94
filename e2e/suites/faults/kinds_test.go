package faults

import (
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/takt-dev/takt/e2e/lib/extent"
)

var errInjected = errors.New("the test says so")

// always is a write that a fault befalls whatever is drawn, so that there is one in each run.
const always = 4

// refuse refuses a share of the writes.
func refuse(share float64, with func(Write) error) func(*Injector) {
	return func(i *Injector) {
		i.Refuse = func(w Write, chance *rand.Rand) Answer {
			if chance.Float64() >= share && w.Number != always {
				return Answer{}
			}
			return Answer{Instead: func() error { return with(w) }}
		}
	}
}

func conflict(w Write) error {
	return apierrors.NewConflict(schema.GroupResource{Resource: w.Kind}, w.Name, errInjected)
}

func tooMany(Write) error  { return apierrors.NewTooManyRequests(errInjected.Error(), 1) }
func internal(Write) error { return apierrors.NewInternalError(errInjected) }

// doneButTimedOut does a share of the writes, and says that they have timed out.
func doneButTimedOut(i *Injector) {
	i.Refuse = func(w Write, chance *rand.Rand) Answer {
		if chance.Float64() >= 0.2 && w.Number != always {
			return Answer{}
		}
		return Answer{Then: apierrors.NewTimeoutError(errInjected.Error(), 1)}
	}
}

func behindBy(writes int) func(*Injector) { return func(i *Injector) { i.Lag = writes } }

// everything is all of them, each less often.
func everything(i *Injector) {
	i.Lag, i.Miss, i.Repeat, i.Shuffle = 3, 0.1, 0.2, 0.2
	i.Refuse = func(w Write, chance *rand.Rand) Answer {
		switch chance.IntN(20) {
		case 0:
			return Answer{Instead: func() error { return conflict(w) }}
		case 1:
			return Answer{Instead: func() error { return tooMany(w) }}
		case 2:
			return Answer{Instead: func() error { return internal(w) }}
		case 3:
			return Answer{Then: apierrors.NewTimeoutError(errInjected.Error(), 1)}
		case 4:
			return Answer{DieAfter: w.Number > 1}
		}
		return Answer{}
	}
}

var kinds = map[string]func(*Injector){
	"conflicts":             refuse(0.2, conflict),
	"too many requests":     refuse(0.2, tooMany),
	"internal errors":       refuse(0.2, internal),
	"done but timed out":    doneButTimedOut,
	"reads 1 write old":     behindBy(1),
	"reads 3 writes old":    behindBy(3),
	"reads 10 writes old":   behindBy(10),
	"events are missed":     func(i *Injector) { i.Miss = 0.25 },
	"events are repeated":   func(i *Injector) { i.Repeat = 0.5 },
	"events are shuffled":   func(i *Injector) { i.Shuffle = 0.5 },
	"everything goes wrong": everything,
}

// TestWhateverGoesWrongTheEndIsTheSame plays each scenario with a process that dies at each write, and
// with each kind of fault; or with some of them. The faults of a kind stop when all that has to come about
// on the way has come about; what is left to do must then be done soon.
func TestWhateverGoesWrongTheEndIsTheSame(t *testing.T) {
	t.Parallel()
	var crashes, others tally
	crashes.print(t, "crashes")
	others.print(t, "errors, old reads and lost events")
	for _, name := range extent.Some(t, slices.Sorted(maps.Keys(scenarios)), 4) {
		s := scenarios[name]
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := s.without(t)
			crash(t, s, want, &crashes)
			befall(t, s, want, &others)
		})
	}
}

// befall has kinds of faults befall a scenario.
func befall(t *testing.T, s scenario, want reference, count *tally) {
	for seed, kind := range extent.Some(t, slices.Sorted(maps.Keys(kinds)), 2) {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			injector := New(uint64(seed) + 1)
			kinds[kind](injector)
			w := newWorld(t, s, injector)
			s.play(w)
			injector.StopFaults()
			want.check(t, w, injector)
			count.add(t, injector)
		})
	}
}
