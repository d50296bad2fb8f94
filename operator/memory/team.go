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
func (j *Job) Notice(running []*corev1.Pod, began, now time.Time) {
	sum := fnv.New64a()
	for _, pod := range running {
		fmt.Fprintln(sum, pod.UID)
	}
	j.Run.Team(strconv.FormatUint(sum.Sum64(), 36), began, now)
}

// Sized remembers the first size of a job that Takt has never asked for one, and says whether it has another.
func (j *Job) Sized(size resize.Workers) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.firstSize == 0 {
		j.firstSize = size
	}
	return j.firstSize != size
}

// Resized takes the size that a job has as its first one.
func (j *Job) Resized(size resize.Workers) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.firstSize = size
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
func (j *Job) Loaded() time.Time {
	j.Profile.Lock()
	defer j.Profile.Unlock()
	return j.Profile.At
}
