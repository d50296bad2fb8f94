package learn

import (
	"math"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
)

// join is how new workers come to those who train already. They load first, and those before them train on meanwhile at
// their own speed. That is no measure of the new size; and the pause for which all of them then meet is that of the
// resize that has brought them, though it may have ended before.
type join struct {
	from    int       // how many trained before them
	heldAt  time.Time // when some of them, or of the others, were last seen not to train: see Doubt
	open    bool      // they have not been seen to take part
	checked bool      // whether this change is such a growth is known
	paused  bool      // they may have met in a pause: what follows tells whether it was that
	quick   int       // how many advances in a row were faster than those before them can be
	// owed says that a resize has ended before they took part, and told counts what it said that it had cost.
	owed bool
	told resize.Cost
	// cost is what it turned out to have cost; nil as long as that is not known.
	cost *resize.Cost
	// charged says that the cost of this change is learned, though those before it may still have trained on.
	charged bool
}

const (
	// misses is how many times as long as from one advance to the next they pause for certain when they join: of a
	// training that is read as often as it advances, every other advance is missed now and then.
	misses = 3
	// loads is how many times as long as workers were seen to take from their start they may load.
	loads = 3
	// loadsFor is how long they are taken to load at least, where no start was seen to take longer.
	loadsFor = 20 * time.Second
	// quickly is how many advances in a row have to be faster than those before them can be, by this factor at least: one
	// or two are so by chance, where a reading comes late.
	quickly, quicker = 3, 1.3
)

// change takes that other workers train from a moment on than those so far. Until those who came are seen to take part,
// the size is that from before they came.
func (j *join) change(workers int) {
	if j.open {
		workers = j.from
	}
	*j = join{from: workers}
}

// join finds out at a reading that has gained so much whether workers have come to others who train on, and whether
// they take part by now: the training then goes on from this reading on, after the change. What was trained before it
// tells nothing of their size. Whether they have met in a pause is told by what follows: those before them may have
// evaluated, and go on as before.
func (r *Run) join(at time.Time, gain float64) {
	s, j := &r.stretch, &r.stretch.join
	if r.present && !j.checked {
		j.open, j.checked = j.from > 0 && int(r.shape.Workers) > j.from && !s.began.IsZero() &&
			s.began.Before(s.stoppedAt), true
	}
	if !j.open {
		return
	}
	held := !at.After(j.heldAt) // nobody can join while that is so, and the others may pause for reasons of their own
	fell := !held && gain < 0
	paused := !held && gain > 0 && s.pausesFor(at.Sub(latestOf(lastOf(s.advances), j.heldAt)), gain)
	j.see(!held && s.quickens(at, gain, int(r.shape.Workers)), gain)
	j.paused = j.paused || fell || paused
	came := latestOf(s.changedAt, j.heldAt)
	j.open = !fell && j.quick < quickly && at.Sub(came) <= loads*max(r.heritage.starts(), loadsFor)
	r.doubted = latestOf(r.doubted, at.Add(-time.Millisecond)) // what begins with this reading is theirs
	switch {
	case fell || paused:
		s.stoppedAt, s.resumedAt, s.count = lastOf(s.advances), time.Time{}, 0
	case !j.open && j.owed && !j.paused:
		j.owed = false
		r.learnCost(v1alpha1.RestartLive, j.told)
	}
}

// see takes an advance, which was faster than those who trained before can be, or not.
func (j *join) see(quick bool, gain float64) {
	switch {
	case quick:
		j.quick++
	case gain != 0:
		j.quick = 0
	}
}

// quickens says that an advance was so fast that it must be that of all workers: nearer to what they may do together
// than to what those before them did. A pause for which they met that was shorter than others is noticed by that alone.
func (s *stretch) quickens(at time.Time, gain float64, workers int) bool {
	last := lastOf(s.advances)
	if gain <= 0 || s.before <= 0 || last.IsZero() || !at.After(last) {
		return false
	}
	more := float64(workers) / float64(max(s.join.from, 1))
	return gain/at.Sub(last).Seconds() >= s.before*max(quicker, math.Sqrt(more))
}

// pausesFor says that the training paused for most of the time since its last advance, in which so much was gained.
// Where those who trained before have gone on meanwhile, it was only read late.
func (s *stretch) pausesFor(silence time.Duration, gain float64) bool {
	const most = 0.5
	return s.pace > 0 && silence > misses*s.pace && (s.before <= 0 || gain < most*s.before*silence.Seconds())
}

// chargeJoin learns what a growth has cost that was over before its workers took part, once they are seen to train.
func (r *Run) chargeJoin() {
	s := &r.stretch
	if !s.join.owed || s.join.open || s.count == 0 {
		return
	}
	s.join.owed = false
	cost := resize.Cost{Measured: true, Pause: s.resumedAt.Sub(s.stoppedAt)}
	if !s.savedAt.IsZero() {
		cost.Lost = max(0, s.stoppedAt.Sub(latestOf(s.savedAt, s.from)))
	}
	cost.Lost = max(cost.Lost, s.lostTime())
	s.join.cost = &cost
	r.learnCost(v1alpha1.RestartLive, cost)
}

// reopen takes back what a change is taken to have cost where the training goes back soon after, by what a reading has
// gained after a silence: those before the change had trained on until then. What it has cost is then learned anew. One
// that goes on counting at once has not begun anew: its counter has.
func (r *Run) reopen(gain float64, at, last time.Time) {
	s, own := &r.stretch, r.restarts[v1alpha1.RestartLive]
	if gain >= 0 || !s.join.charged || s.lost > 0 || s.count == 0 || s.count >= keptAdvances || !r.early(last) ||
		!s.isPause(at.Sub(last)) || own == nil || len(own.costs) == 0 || r.lastCost == nil {
		return
	}
	if own.takeBack(); len(own.costs) == 0 {
		delete(r.restarts, v1alpha1.RestartLive)
	}
	s.open, s.held, s.rates = true, nil, nil
	s.join.owed, s.join.told, s.join.cost, s.join.charged = true, *r.lastCost, nil, false
	s.stoppedAt, s.resumedAt, s.count = lastOf(s.advances), time.Time{}, 0
	s.savedAt = latestOf(s.savedAt, r.saves.at)
}

// Turned is what a change has cost that has told this when it was over, if its workers noticed it only later; it is
// pending until they do.
func (r *Run) Turned(told resize.Cost) (cost resize.Cost, pending bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	j := &r.stretch.join
	switch {
	case j.told != told:
		return told, false
	case j.cost != nil:
		return *j.cost, false
	default:
		return told, j.owed
	}
}

func lastOf(advances []time.Time) time.Time {
	if len(advances) == 0 {
		return time.Time{}
	}
	return advances[len(advances)-1]
}

func (j *join) keep() keptJoin {
	k := keptJoin{
		From: j.from, Held: since1970(j.heldAt), Open: j.open, Checked: j.checked, Quick: j.quick, Paused: j.paused,
		Owed: j.owed, Charged: j.charged,
	}
	if j.owed || j.cost != nil {
		k.Told = keptCostOf(j.told)
	}
	if j.cost != nil {
		k.Cost = keptCostOf(*j.cost)
	}
	return k
}

func (k keptJoin) join() join {
	j := join{from: max(k.From, 0), heldAt: k.Held.time(), open: k.Open, checked: k.Checked, quick: max(k.Quick, 0),
		paused: k.Paused, owed: k.Owed, charged: k.Charged}
	if k.Told != nil {
		j.told = k.Told.cost()
	}
	if k.Cost != nil {
		j.cost = new(k.Cost.cost())
	}
	return j
}
