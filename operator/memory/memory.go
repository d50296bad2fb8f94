package memory

import (
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/elastic/begin"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/learn"
)

// MostPatience is how long the first plan waits at most for what jobs have to tell, and how long the first word on a
// job waits for a plan.
const MostPatience = time.Duration(begin.HearWithin) * time.Second

// Memory is what the process remembers of jobs between two looks at them. All of it may be lost: a
// fresh process learns it anew, or finds it in the cluster.
type Memory struct {
	mu   sync.Mutex
	jobs map[types.UID]*Job
}

// Job is what is remembered of one job. Each concern has its fields in the file that has its methods.
type Job struct {
	Run *learn.Run

	// Profile is when the profile of the job was last read.
	Profile ProfileRead
	// Leavers is what the profile says of workers that leave.
	Leavers Leavers

	mu sync.Mutex // guards what follows
	looks
	failures
	decisions
	hindrances
	use
	writes
	// lent says that others may be promised what the job has: it may be stopped, or might when it was started.
	lent bool
	// firstSize is the size that the job was first seen with, while Takt has not asked it for any.
	firstSize resize.Workers
	// size is the one that this process has seen last, and scaled how somebody else has last made the job smaller.
	size   resize.Workers
	scaled *Scaled
	// leaver is the last of its workers that was told to leave for another reason.
	leaver *Leaver
	// removed are its Resizes that are no longer on record.
	removed Resizes
	// overruled is what manifests that somebody has applied have taken back after Takt had asked for it.
	overruled []overruled
	// meant is the version of the job of which it is known that somebody means it to be suspended.
	meant string
	// succeeded are those that the job starts after and that this process has seen to succeed, with when they did.
	succeeded map[string]string
}

// Of is what is remembered of a job, by the UID of the job itself: another job of the same name is
// another run. Of a job that this process sees for the first time it is what the one before it has kept.
func (m *Memory) Of(job types.UID, now time.Time, kept func() *learn.Run) *Job {
	m.mu.Lock()
	defer m.mu.Unlock()
	known := m.jobs[job]
	if known == nil {
		known = &Job{Run: kept(), looks: looks{since: now}}
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
