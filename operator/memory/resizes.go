package memory

import (
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// Resizes are how many changes of size a job has had, and what these took, in seconds.
type Resizes struct {
	Count  int     `json:"count"`
	Paused float64 `json:"paused,omitempty"`
	Lost   float64 `json:"lost,omitempty"`
}

// Add counts one more.
func (r *Resizes) Add(one *v1alpha1.Resize) {
	r.Count++
	r.Paused, r.Lost = r.Paused+seconds(one.Status.Cost.Pause), r.Lost+seconds(one.Status.Cost.Lost)
}

func (r *Resizes) sane() bool { return r.Count >= 0 && r.Paused >= 0 && r.Lost >= 0 }

func seconds(text v1alpha1.Duration) float64 {
	d, err := text.Duration()
	if err != nil || d < 0 || d > 100*365*24*time.Hour {
		return 0
	}
	return d.Seconds()
}

// Remove takes that a Resize of the job is no longer on record.
func (j *Job) Remove(r *v1alpha1.Resize) {
	if j == nil {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.removed.Add(r)
}

// Removed are the Resizes of the job that are no longer on record.
func (j *Job) Removed() Resizes {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.removed
}
