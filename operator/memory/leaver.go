package memory

import (
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/elastic/resize"
)

// Leaver is a worker of a job that was told to leave, and not for the size of the job: somebody has deleted its pod, or
// drains its node.
type Leaver struct {
	Pod   string       `json:"pod"`
	UID   types.UID    `json:"uid"`
	Index resize.Index `json:"index"`
	At    time.Time    `json:"at"`
}

// SeeLeaver remembers the last one.
func (j *Job) SeeLeaver(l Leaver) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.leaver == nil || j.leaver.UID != l.UID {
		j.leaver = &l
	}
}

// SeeWorker takes that a worker is there to stay: the one that left in whose place it has come did not end the job.
func (j *Job) SeeWorker(index resize.Index, uid types.UID) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.leaver != nil && j.leaver.Index == index && j.leaver.UID != uid {
		j.leaver = nil
	}
}

// Leaver is the last worker that was told to leave, and in whose place nobody has come; nil if there is none.
func (j *Job) Leaver() *Leaver {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.leaver
}
