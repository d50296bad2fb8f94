package memory

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/coretime"
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

// mostOverruled is how many times are remembered: more than it takes to give in.
const mostOverruled = 8

// overruled is that what Takt had asked of a job in an epoch was taken back at a moment.
type overruled struct {
	Epoch resize.Epoch `json:"epoch"`
	At    time.Time    `json:"at"`
}

// Overruled remembers that a manifest which somebody has applied has taken back what Takt had asked of the job in an
// epoch: its size, that it stops, or that it runs. It says when that was so, this time among them.
func (j *Job) Overruled(epoch resize.Epoch, now time.Time) (times []elastic.Seconds) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.overruled = slices.DeleteFunc(j.overruled, func(o overruled) bool { return o.Epoch == epoch })
	j.overruled = append(j.overruled, overruled{epoch, now.UTC()})
	j.overruled = j.overruled[max(len(j.overruled)-mostOverruled, 0):]
	for _, o := range j.overruled {
		times = append(times, coretime.Seconds(o.At))
	}
	return times
}

// MeansStop remembers that somebody means the job to be suspended which has this version.
func (j *Job) MeansStop(version string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.meant = version
}

// StopIsMeant says that this is remembered of a version of the job.
func (j *Job) StopIsMeant(version string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.meant == version
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
