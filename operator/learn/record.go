package learn

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/predictor"
)

const (
	enoughReadings = 3 // tell the speed of a size well enough to be stored
	// A speed that has moved by more than this since it was stored is stored again, though no more
	// often than storeEvery; and what is new waits for so long, for what comes with it.
	movedEnough = 0.02
	storeEvery  = 5 * time.Minute
	// A record that could not be stored is tried again after this.
	tryAgain = 30 * time.Second
)

// Record is what a run has measured itself, in the form in which it is stored.
type Record struct {
	Run      string
	Unit     string
	Speeds   []v1alpha1.MeasuredSpeed
	Restarts []v1alpha1.MeasuredRestart
	Runs     []v1alpha1.MeasuredRun // itself, once it has ended
}

// recorded is what was handed out to be stored.
type recorded struct {
	at     time.Time
	here   bool // by this process
	whole  bool // it has told how long the run took
	failed bool
}

// Record is what the run has measured if that is due, and counts it as stored. What is new of a run that has fallen
// silent waits for nothing that could come with it.
func (r *Run) Record(now time.Time, silent bool) (Record, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.due(now, silent) {
		return Record{}, false
	}
	return r.record(now), true
}

// Last is what the run has measured if any of it is not stored yet, due or not: for the end of a run.
func (r *Run) Last(now time.Time) (Record, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, ended := r.whole()
	unsaved := r.recorded.failed || ended && !r.recorded.whole
	for _, s := range r.speeds {
		unsaved = unsaved || s.total() != s.storedCount
	}
	for _, own := range r.restarts {
		unsaved = unsaved || own.count != own.stored
	}
	if !unsaved {
		return Record{}, false
	}
	return r.record(now), true
}

// NotSaved takes back that the last record was stored.
func (r *Run) NotSaved() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.recorded.failed = true
}

// due says whether something was learned that is worth a write: the first speed of a profile that others may wait for;
// and every so often a size that is new, a restart, or a speed that has moved. What is not stored yet is not lost with
// the process: it is part of what the run keeps.
func (r *Run) due(now time.Time, silent bool) bool {
	since := now.Sub(r.recorded.at)
	if r.recorded.failed {
		return since >= tryAgain
	}
	news, moved := false, false
	for _, own := range r.restarts {
		news = news || own.count != own.stored
	}
	for _, s := range r.speeds {
		switch {
		case s.count == 0:
		case s.stored == 0 && s.count >= enoughReadings:
			if r.awaited() {
				return true
			}
			news = true
		case s.stored > 0 && since >= storeEvery && math.Abs(s.typical()/s.stored-1) > movedEnough:
			moved = true
		}
	}
	switch {
	case !news:
		r.newsAt = time.Time{}
	case r.newsAt.IsZero():
		r.newsAt = now
	}
	return moved || news && (silent || now.Sub(r.newsAt) >= storeEvery)
}

// awaited says that other runs of the profile may wait for the first speed that anybody tells, and that this is it.
func (r *Run) awaited() bool {
	return !r.alone && r.recorded.at.IsZero() && len(r.heritage.others.Speeds)+len(r.heritage.before.Speeds) == 0
}

// Alone says that nobody else reads what the run stores: its profile is its own.
func (r *Run) Alone() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.alone = true
}

// record writes down all that the run has measured, in the order of sizes and kinds.
func (r *Run) record(now time.Time) Record {
	record := Record{Run: r.id, Unit: r.tally.unit}
	if record.Unit == "" {
		record.Unit = r.heritage.unit
	}
	whole, ended := r.whole()
	if r.recorded = (recorded{at: now, here: true, whole: ended}); ended {
		record.Runs = append(record.Runs, whole)
	}
	for _, shape := range slices.SortedFunc(maps.Keys(r.speeds), compareShapes) {
		s := r.speeds[shape]
		if s.count == 0 {
			continue // it is stored already
		}
		s.stored, s.storedCount = s.typical(), s.total()
		if stored, ok := storedSpeed(r.id, r.tally, shape, s); ok {
			record.Speeds = append(record.Speeds, stored)
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(r.restarts)) {
		own := r.restarts[kind]
		own.stored = own.count
		record.Restarts = append(record.Restarts, storedRestart(r.id, kind, own, now))
	}
	return record
}

func compareShapes(a, b predictor.Shape) int {
	return cmp.Or(cmp.Compare(a.GPU, b.GPU), cmp.Compare(a.Workers, b.Workers), cmp.Compare(a.Nodes, b.Nodes))
}
