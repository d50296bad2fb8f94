package operator

import (
	"math"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/coretime"
	"github.com/takt-dev/takt/operator/learn"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/predictor"
)

// memory is what the process remembers of jobs between two looks at them. All of it may be lost: a
// fresh process learns it anew, or finds it in the cluster.
type memory struct {
	mu   sync.Mutex
	jobs map[types.UID]*remembered
}

// remembered is what is remembered of one job.
type remembered struct {
	run *learn.Run

	// loading guards loadedAt, which is when the profile was last read.
	loading  sync.Mutex
	loadedAt time.Time
	// leavers is what the profile says of workers that leave.
	leavers leavers

	mu sync.Mutex
	// shapes are the sizes that the job may have, as last planned with, and perNode how many of its
	// workers a node has room for.
	shapes  []predictor.Shape
	perNode int
	// answered says that the progress was read, or that it was found that it cannot be.
	answered bool
	// slow says that the last reading took long, or that one before it did and none has told anything since.
	slow bool
	// since is when this process first saw the job, or the end of the last gap between two looks at its
	// progress, of which the last was at lookedAt; zero before the first, and while there is nothing to see.
	since, lookedAt time.Time
	// gap is how long after that look the next is overdue.
	gap time.Duration
	// tells is what events had told at the last look, found what that look has found, and lookAt when the next is due
	// unless they tell anything else.
	tells  uint64
	found  found
	lookAt time.Time
	// decision is what was last decided, due the deadline that it was decided for, and told the end that was
	// expected when that was last news. Until this process has decided, planned is what the one before it has.
	decision      *elastic.Outcome
	planned       *elastic.Outcome
	due           time.Time
	told          *elastic.Seconds
	withheld      hindrance
	withheldSince time.Time
	// use is what is known of how busy the GPUs are, as a sentence; empty if all is well.
	use       string
	idle      progress.Idleness
	watchedAt time.Time
	unserved  int // how often in turn nobody has served it
	// predicted is the end that was expected when half was done, at predictedAt; counted says that it
	// was compared with the end.
	predicted, predictedAt time.Time
	counted                bool
	// firstSize is the size that the job was first seen with, while Takt has not asked it for any.
	firstSize resize.Workers
	// wroteAt is when this process last wrote the status.
	wroteAt time.Time
}

// of is what is remembered of a job, by the UID of the job itself: another job of the same name is
// another run. Of a job that this process sees for the first time it is what the one before it has kept.
func (m *memory) of(job types.UID, now time.Time, kept func() *learn.Run) *remembered {
	m.mu.Lock()
	defer m.mu.Unlock()
	known := m.jobs[job]
	if known == nil {
		known = &remembered{run: kept(), since: now}
		known.findPlan()
		m.jobs[job] = known
	}
	return known
}

// keep forgets all jobs but these.
func (m *memory) keep(jobs map[types.UID]bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for uid := range m.jobs {
		if !jobs[uid] {
			delete(m.jobs, uid)
		}
	}
}

// looked says that the progress was read just now, or could not be; heard, whether that has ever told how far
// the job is, or that it does not say. A reading that failed in a way that may pass tells neither. A look that comes
// later than it was due begins anew; the next is due within a gap.
func (r *remembered) looked(now time.Time, gap time.Duration, heard bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now = now.Round(0) // of the clock on the wall, which goes on where a machine is suspended
	if !r.lookedAt.IsZero() && now.Sub(r.lookedAt) > r.gap {
		r.since = now
	}
	r.answered, r.lookedAt, r.gap = r.answered || heard, now, gap
}

// quiet is for how long a job has told nothing new that told something at a moment last, if at all: as far as this
// process would have heard it.
func (r *remembered) quiet(told, now time.Time) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if told.Before(r.since) {
		told = r.since
	}
	return now.Sub(told)
}

// nothingToSee says that nobody trains, so that no look is due.
func (r *remembered) nothingToSee() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lookedAt = time.Time{}
}

func (r *remembered) heard() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.answered
}

// awaited says that the first plan may wait for a reading of this job: there was none yet that told anything,
// and the job has not been known for long.
func (r *remembered) awaited(now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return !r.answered && now.Sub(r.since) < mostPatience
}

// isSlow says whether a reading is likely to take long.
func (r *remembered) isSlow() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.slow
}

// took takes whether a reading was slow, and whether it has told anything.
func (r *remembered) took(slow, told bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.slow = slow || r.slow && !told
}

// watchedSince is since when this process has watched the progress without a gap. While there should have
// been a look long ago, it does not watch: it was held up, and has not looked since.
func (r *remembered) watchedSince(now time.Time, gap time.Duration) time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	if now = now.Round(0); !r.lookedAt.IsZero() && now.Sub(r.lookedAt) > gap {
		return now
	}
	return r.since
}

// decide remembers a decision about a job that is due at some time, if ever, and says whether it tells the owner
// of the job anything new.
func (r *remembered) decide(d elastic.Outcome, due, at time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	old, told := r.decision, r.told
	r.decision, r.planned = &d, nil
	news := old == nil || old.Workers != d.Workers || old.Verdict != d.Verdict || old.Reason != d.Reason ||
		old.Promised != d.Promised || (told == nil) != (d.Expected == nil) || !r.due.Equal(due)
	r.due = due
	if !news && d.Expected != nil {
		moved := math.Abs(float64(*d.Expected - *told))
		news = moved > 1 && moved > etaMoves/2*float64(*d.Expected-coretime.Seconds(at))
	}
	if news {
		r.told = d.Expected // small moves add up until then
	}
	return news
}

// undecide forgets what was decided about a job that is not planned for any more.
func (r *remembered) undecide() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.decision, r.planned = nil, nil
}

// decided is the last decision; nil before the first.
func (r *remembered) decided() *elastic.Outcome {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.decision
}

// decidedFor is the last decision, if it was made for this deadline: one for another says nothing of it.
func (r *remembered) decidedFor(due time.Time) *elastic.Outcome {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.due.Equal(due) {
		return nil
	}
	return r.decision
}

// plannedWith remembers the sizes that the job may have.
func (r *remembered) plannedWith(shapes []predictor.Shape, perNode int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.shapes, r.perNode = shapes, perNode
}

// sizes are the sizes that the job may have, as last planned with, and how many of its workers a node
// has room for.
func (r *remembered) sizes() (shapes []predictor.Shape, perNode int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.shapes, max(r.perNode, 1)
}

// written is when this process last wrote the status; zero if it has not, or there is no job.
func (r *remembered) written() time.Time {
	if r == nil {
		return time.Time{}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.wroteAt
}

func (r *remembered) wrote(at time.Time) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.wroteAt = at
}

// idleness says that the job does not use its GPUs; empty if it does, or nobody can tell.
func (r *remembered) idleness() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.use
}

// dueToWatch says whether it is time to read how busy the GPUs are, and counts that as done.
func (r *remembered) dueToWatch(now time.Time, every time.Duration) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if now.Before(r.watchedAt.Add(every)) {
		return false
	}
	r.watchedAt = now
	return true
}

// watchedFor counts the reading of how busy the GPUs are as if it were of a later moment.
func (r *remembered) watchedFor(until time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.watchedAt = until
}

// notServed takes that nobody serves how busy the GPUs are. It is not asked for again before a rest, which is twice as
// long each time, up to a bound.
func (r *remembered) notServed(now time.Time, rest time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.watchedAt = now.Add(rest << min(r.unserved, mostSeldom))
	r.unserved++
}

// wasNotServed says that nobody served it when it was last asked for.
func (r *remembered) wasNotServed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.unserved > 0
}

// watched takes a reading of how busy the GPUs are, and says whether that changes what is told.
func (r *remembered) watched(use progress.Usage, rule progress.IdleRule, gpus int) (changed bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	before := r.use != ""
	r.unserved = 0
	r.idle = r.idle.Fed(use, rule)
	if idle, sentence := r.idle.Idle(gpus, rule); idle {
		r.use = sentence
	} else {
		r.use = ""
	}
	return before != (r.use != "")
}

// halfway remembers when a job was expected to end, once half of it is done.
func (r *remembered) halfway(done float64, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if done >= 0.5 && r.predictedAt.IsZero() && r.decision != nil && r.decision.Expected != nil {
		r.predicted, r.predictedAt = coretime.Time(*r.decision.Expected), now
	}
}

// missedBy is how far the end that was expected half way was from the end, as a part of what was left
// then; once, and only if both were seen.
func (r *remembered) missedBy(end time.Time) (float64, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	left := end.Sub(r.predictedAt).Seconds()
	if r.counted || r.predictedAt.IsZero() || left <= 0 {
		return 0, false
	}
	r.counted = true
	return math.Abs(r.predicted.Sub(end).Seconds()) / left, true
}
