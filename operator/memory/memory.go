package memory

import (
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/learn"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/predictor"
)

// MostPatience is how long the first plan waits at most for what jobs have to tell, and how long the first word on a
// job waits for a plan.
const MostPatience = 10 * time.Second

// Memory is what the process remembers of jobs between two looks at them. All of it may be lost: a
// fresh process learns it anew, or finds it in the cluster.
type Memory struct {
	mu   sync.Mutex
	jobs map[types.UID]*Job
}

// Job is what is remembered of one job.
type Job struct {
	Run *learn.Run

	// Profile is when the profile of the job was last read.
	Profile ProfileRead
	// Leavers is what the profile says of workers that leave.
	Leavers Leavers

	mu sync.Mutex
	// shapes are the sizes that the job may have, as last planned with, and perNode how many of its
	// workers a node has room for.
	shapes  []predictor.Shape
	perNode int
	// answered says that the progress was read, or that it was found that it cannot be.
	answered bool
	// slow says that the last reading took long, or that one before it did and none has told anything since.
	slow bool
	// since is when this process first saw the job, or the end of the last gap between two looks at its progress, or
	// between two that were answered. The last was at lookedAt, the last answered one at sawAt; zero before the first,
	// and while there is nothing to see.
	since, lookedAt, sawAt time.Time
	// gap is how long after that look the next is overdue.
	gap time.Duration
	// tells is what events had told at the last look, found what that look has found, and lookAt when the next is due
	// unless they tell anything else.
	tells  uint64
	found  Found
	lookAt time.Time
	// decision is what was last decided, due the deadline that it was decided for, and told the end that was
	// expected when that was last news. Until this process has decided, planned is what the one before it has.
	decision      *elastic.Outcome
	planned       *elastic.Outcome
	due           time.Time
	overdue       bool // it was decided when that deadline had passed
	told          *elastic.Seconds
	toldStart     *elastic.Seconds
	withheld      Hindrance
	withheldSince time.Time
	roomSince     time.Time // since when there has been room for its workers, none of which has a node
	roomLeft      bool      // that was for so long that others have it
	// refusedSince is since when Takt has left the job alone; zero while it looks after it.
	refusedSince time.Time
	// writeRefusedSince is since when the API server has refused what a Resize of it has to write next.
	writeRefusedSince time.Time
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
	// wroteAt is when this process last wrote the status, and worseAt when it last wrote a verdict that was worse than the
	// one before.
	wroteAt, worseAt time.Time
	// succeeded are those that the job starts after and that this process has seen to succeed, with when they did.
	succeeded map[string]string
	// recorded says that what has happened to the job is about to be written down, or was.
	recorded bool
	// closed says that all that its end has taught is stored, but for that record.
	closed bool
}

// Of is what is remembered of a job, by the UID of the job itself: another job of the same name is
// another run. Of a job that this process sees for the first time it is what the one before it has kept.
func (m *Memory) Of(job types.UID, now time.Time, kept func() *learn.Run) *Job {
	m.mu.Lock()
	defer m.mu.Unlock()
	known := m.jobs[job]
	if known == nil {
		known = &Job{Run: kept(), since: now}
		known.findPlan()
		m.jobs[job] = known
	}
	return known
}

// Keep forgets all jobs but these.
func (m *Memory) Keep(jobs map[types.UID]bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for uid := range m.jobs {
		if !jobs[uid] {
			delete(m.jobs, uid)
		}
	}
}

// New is that of a process that has just started.
func New() *Memory { return &Memory{jobs: map[types.UID]*Job{}} }

// Look is what is remembered of a job, if it was ever seen.
func (m *Memory) Look(job types.UID) *Job {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.jobs[job]
}
