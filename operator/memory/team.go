package memory

import (
	"fmt"
	"hash/fnv"
	"strconv"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/elastic/resize"
)

// Notice tells the run which workers train now, of whom the first began at a moment.
func (r *Job) Notice(running []*corev1.Pod, began, now time.Time) {
	sum := fnv.New64a()
	for _, pod := range running {
		fmt.Fprintln(sum, pod.UID)
	}
	r.Run.Team(strconv.FormatUint(sum.Sum64(), 36), began, now)
}

// Sized remembers the first size of a job that Takt has never asked for one, and says whether it has another.
func (r *Job) Sized(size resize.Workers) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.firstSize == 0 {
		r.firstSize = size
	}
	return r.firstSize != size
}

// Resized takes the size that a job has as its first one.
func (r *Job) Resized(size resize.Workers) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.firstSize = size
}

// Leavers is what a profile says of workers that are told to leave: whether one of them has ended its whole job.
type Leavers struct {
	sync.Mutex
	ReadAt time.Time
	End    bool
}

// ProfileRead is when the profile of a job was last read. Who reads it holds the lock.
type ProfileRead struct {
	sync.Mutex
	At time.Time
}

// Loaded is when the profile of the job was last read.
func (r *Job) Loaded() time.Time {
	r.Profile.Lock()
	defer r.Profile.Unlock()
	return r.Profile.At
}
