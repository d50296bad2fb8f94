package podinfo

import (
	"os"
	"sync"
	"time"
)

// File is the file of annotations, and what was last read from it. The kubelet needs about 0.1 s to
// write a change; looking whether it has costs a few microseconds.
type File struct {
	path string

	mu      sync.Mutex
	stamp   stamp
	last    Annotations
	lastErr error
	read    bool
}

// stamp tells one version of the file from another.
type stamp struct {
	at   time.Time
	size int64
	id   os.FileInfo
}

// NewFile is the file at a path.
func NewFile(path string) *File { return &File{path: path} }

// Now is what the file says at this moment. Where it cannot be read, that is told along with what it
// said last: a file that goes takes nothing back.
func (f *File) Now() (Annotations, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	info, err := os.Stat(f.path)
	if err != nil {
		return f.last, err
	}
	now := stamp{info.ModTime(), info.Size(), info}
	if f.read && f.stamp.at.Equal(now.at) && f.stamp.size == now.size && os.SameFile(f.stamp.id, now.id) {
		return f.last, f.lastErr
	}
	all, err := Read(f.path)
	if all == nil {
		return f.last, err
	}
	f.stamp, f.last, f.lastErr, f.read = now, all, err, true
	return all, err
}
