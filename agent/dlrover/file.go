package dlrover

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/takt-dev/takt/agent/known"
)

// Variable names the file to the training.
const Variable = "RUNTIME_METRICS_PATH"

const maxBytes = 64 << 10

// File is the file, and what was last read of it.
type File struct {
	path     string
	modified time.Time
	size     int64
}

// NewFile is the file at a path. What is in it already, no matter from when, is of another training.
func NewFile(path string) *File {
	f := &File{path: path}
	if info, err := os.Stat(path); err == nil {
		f.modified, f.size = info.ModTime(), info.Size()
	}
	return f
}

// Look gives what the file tells, if it has changed. A file that is not there tells nothing. One that is half
// written is read again the next time.
func (f *File) Look(now time.Time) (known.Count, bool, error) {
	info, err := os.Stat(f.path)
	if err != nil || info.ModTime().Equal(f.modified) && info.Size() == f.size {
		return known.Count{}, false, nil // the training has not written it yet
	}
	file, err := os.Open(f.path)
	if err != nil {
		return known.Count{}, false, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxBytes))
	if err != nil {
		return known.Count{}, false, err
	}
	count, err := Parse(text, now)
	if err != nil {
		return known.Count{}, false, err
	}
	f.modified, f.size = info.ModTime(), info.Size()
	return count, true, nil
}

// Parse reads {"step": 420, "timestamp": 1795521600}. A time that has not come yet is told by another clock.
func Parse(text []byte, now time.Time) (known.Count, error) {
	var told struct {
		Step      *float64 `json:"step"`
		Timestamp float64  `json:"timestamp"`
	}
	if err := json.Unmarshal(text, &told); err != nil {
		return known.Count{}, fmt.Errorf("the metrics file is not as DLRover writes it: %w", err)
	}
	if told.Step == nil {
		return known.Count{}, errors.New("the metrics file tells no step")
	}
	count := known.Count{Done: *told.Step, Unit: "steps", At: now}
	if seconds := told.Timestamp; seconds > 0 && seconds < float64(now.Unix()) {
		count.At = time.UnixMicro(int64(seconds * 1e6))
	}
	return count, count.Check()
}
