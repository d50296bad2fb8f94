package learn

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/predictor"
)

// Run is what is known of one run of one job. It is safe for use by several goroutines.
type Run struct {
	mu sync.Mutex
	id string
	// team says which workers train; empty while nobody has told.
	team string
	// recalled says that it goes on from what another process has kept of it, taught that it began with what jobs of
	// other code teach, and alone that nobody else reads what it stores.
	recalled, taught, alone bool

	// The last reading that was taken.
	tally    tally
	counter  predictor.Progress
	at       time.Time // zero before the first
	done     float64   // in the unit of the run, as far as it is believed
	counted  float64   // as it was read
	movedAt  time.Time // when it last changed
	shape    predictor.Shape
	jumped   bool // what was read last is to be believed if it stays
	present  bool // the workers that train now were read in this shape
	answered bool // some source has, ever
	repeated bool // it was asked since, and said the same
	late     lateness
	doubted  time.Time // until when nobody knows how many workers trained
	anew     time.Time // when a container of theirs was last started anew

	stretch stretch
	mishap  mishap
	saves   saves
	state   state
	failure failure

	model    *predictor.Model
	version  uint64 // counts what changes the predictions
	speeds   map[predictor.Shape]*speed
	restarts map[v1alpha1.RestartKind]*restarts
	lastCost *resize.Cost
	newsAt   time.Time // since when there is something new to store; zero if nothing is

	attendance attendance
	closing    elastic.Closing // as Fill has last told
	asked      asked           // as it was last asked to

	plan     json.RawMessage // what was decided for the job: see Planned
	belief   belief
	heritage heritage
	sizes    sizes
	recorded recorded
}

// failure is what it says that no source answers. Since when that is so outlives the process, and what it says
// does not.
type failure struct {
	since, at time.Time
	err       error
	late      bool // the last was for want of time alone, and err is what was so before
}

// NewRun is a run that nothing is known of. The id is the name of its ElasticJob and the beginning of
// its UID: two runs never have the same.
func NewRun(id string) *Run {
	return &Run{
		id: id, model: predictor.NewModel(),
		speeds:   map[predictor.Shape]*speed{},
		restarts: map[v1alpha1.RestartKind]*restarts{},
	}
}

// Failed takes that no source could be read.
func (r *Run) Failed(err error, at time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil || at.Before(r.failure.at) {
		return
	}
	if r.failure.since.IsZero() {
		r.failure.since = at
	}
	// A source that was too late once says no less of what is the matter than it did.
	late := errors.Is(err, progress.ErrTimeout)
	if r.failure.at = at; !late || r.failure.late || r.failure.err == nil {
		r.failure.err = err
	}
	r.failure.late = late
	if progress.Refutes(err, r.tally.source) {
		r.tally.refute()
	}
}

// Team takes which workers train at a moment, by any word that is another for others, and when the first of them began;
// zero if none trains. Others than those of before are a change, even if those of before were seen by another process.
func (r *Run) Team(workers string, began, at time.Time) {
	r.mu.Lock()
	changed := r.team != workers
	r.team = workers
	r.mu.Unlock()
	if !changed {
		return
	}
	r.Changed(at)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stretch.began = began
}

// Changed takes that the set of workers that train has changed: what follows is a new stretch. To be
// told twice of one change does no harm.
func (r *Run) Changed(at time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !at.After(r.stretch.changedAt) {
		return
	}
	r.takeHeld()
	r.stretch.change(at, int(r.shape.Workers))
	r.mishap = mishap{}
	r.counter.Changed(moment(at))
	if own := r.speeds[r.shape]; own != nil {
		own.pace.Cut(moment(at))
	}
	r.stretch.saved(r.saves.at)
	r.saves.change()
	r.present = r.at.After(at)
}

// Doubt takes that nobody knows how many of the workers train at a moment, as while one waits at the barrier, cannot
// run, or has a node that does not answer: how fast they are then tells nothing of any size. Who has come to others may
// take as long to load from then on as any.
func (r *Run) Doubt(at time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.doubted = latestOf(r.doubted, at)
	r.stretch.join.heldAt = latestOf(r.stretch.join.heldAt, at)
}

// Restarted takes what a resize has cost that is over. A start is measured from the moment at which
// its workers were there.
func (r *Run) Restarted(kind v1alpha1.RestartKind, cost resize.Cost) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := &r.stretch
	if r.lastCost != nil && *r.lastCost == cost && (!s.open || s.join.owed) {
		return // told twice
	}
	r.lastCost = &cost
	if kind == v1alpha1.RestartLive && s.join.open {
		s.join.owed, s.join.told = true, cost
		return
	}
	r.learnCost(kind, cost)
}

// learnCost learns what a change of the workers has cost that is settled.
func (r *Run) learnCost(kind v1alpha1.RestartKind, cost resize.Cost) {
	s := &r.stretch
	open := s.open
	if s.open = false; open && kind == v1alpha1.RestartLive && cost.Measured && int(r.shape.Workers) > s.workers {
		s.joined()
	}
	pause, lost := cost.Pause, cost.Lost
	switch {
	case cost.Measured && open:
		lost = max(lost, s.lostTime()) // it may have been seen since
	case cost.Measured:
	case kind == v1alpha1.RestartStart && open && s.resumedAt.After(s.changedAt):
		pause, lost = s.resumedAt.Sub(s.changedAt), 0
	default:
		return
	}
	own := r.restarts[kind]
	if own == nil {
		own = &restarts{}
		r.restarts[kind] = own
	}
	seen := s.resumedAt
	if seen.IsZero() {
		seen = r.at
	}
	kept := open && s.kept(r.done, int(r.shape.Workers))
	if open && kind != v1alpha1.RestartLive && !s.savedAt.IsZero() {
		r.saves.vanish = !kept
	}
	own.add(predictor.Cost{
		Pause: predictor.Seconds(pause.Seconds()), Lost: predictor.Seconds(lost.Seconds()),
		Scratch: kind != v1alpha1.RestartStart && !kept,
	}, seen)
	s.join.charged = open && kind == v1alpha1.RestartLive && cost.Measured
	r.heritage.price(r.restarts)
}

// Progress is how the training advances, as the resize machine looks at it.
func (r *Run) Progress() resize.Progress {
	r.mu.Lock()
	defer r.mu.Unlock()
	// A counter that counts a part stands still and begins anew, and the training goes on.
	p := r.stretch.progress(r.answered && !r.tally.refuted)
	p.Starts = r.heritage.starts()
	if p.Cadence == 0 && r.unitsDiffer() == nil {
		p.Cadence, _ = r.heritage.cadence()
	}
	p.Alone = r.cadenceAlone()
	return p
}

// usual is the time between two advances of the workers that train now, by what those before them have told as long as
// they have not told enough themselves: fewer may take as much longer.
func (r *Run) usual() time.Duration {
	if own := r.stretch.usual(); own > 0 {
		return own
	}
	now := r.shape.Workers
	if last := r.attendance.last; last.team == r.team && last.shape.Workers > 0 {
		now = last.shape.Workers
	}
	return max(r.stretch.rhythm, r.cadenceAlone()/time.Duration(max(now, 1)))
}

// cadenceAlone is the usual time from one advance to the next with one worker, if it goes by what is done and all of
// them do as much; zero if no speed is known.
func (r *Run) cadenceAlone() (most time.Duration) {
	for shape, own := range r.speeds {
		most = max(most, own.every*time.Duration(shape.Workers))
	}
	if most > 0 || r.unitsDiffer() != nil {
		return most
	}
	_, most = r.heritage.cadence()
	return most
}

// Counts says that the source of the last reading was seen to count, by this process or the one before it: it was not
// written beforehand.
func (r *Run) Counts() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.answered && len(r.stretch.advances) > 0
}

// Said is what the source of the last reading has said, in its own unit; nothing if the workers that train now have
// not.
func (r *Run) Said() progress.Said {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.present || r.tally.refuted {
		return progress.Said{}
	}
	whole := progress.Work{Total: r.tally.saidTotal, Unit: r.tally.said}
	return progress.Said{Work: whole, Done: r.tally.saidDone, At: r.at}
}

// Checkpoint is what is known of the saved state of the job from its readings.
func (r *Run) Checkpoint() resize.Checkpoint {
	r.mu.Lock()
	defer r.mu.Unlock()
	return resize.Checkpoint{CompletedAt: r.saves.at, ExpectedAt: r.saves.expected(), Every: r.saves.typical}
}

// ErrUnits says that a profile counts something else than the job does.
var ErrUnits = errors.New("the speeds of the profile are not used")

func (r *Run) unitsDiffer() error {
	theirs, ours := r.heritage.unit, r.tally.unit
	if theirs == "" || ours == "" || theirs == ours || len(r.heritage.others.Speeds)+len(r.heritage.before.Speeds) == 0 {
		return nil
	}
	return fmt.Errorf("%w: they count %s, and the job reports %s; give it a profile of its own, or let it report %s",
		ErrUnits, theirs, ours, theirs)
}

// forgetSpeeds begins anew, in another unit.
func (r *Run) forgetSpeeds() {
	r.model = r.model.Prior().NewModel()
	r.speeds = map[predictor.Shape]*speed{}
	r.stretch.rates, r.stretch.held, r.stretch.before = nil, nil, 0
	r.version++
}

// plain is a shape as it is stored: of its size, its nodes and its GPUs.
func plain(s predictor.Shape) predictor.Shape {
	nodes := max(1, min(s.Nodes, int(s.Workers)))
	return predictor.Shape{Workers: s.Workers, Nodes: nodes, GPU: s.GPU}
}
