package memory

import (
	"cmp"
	"time"

	"github.com/takt-dev/takt/elastic/resize"
)

// Scaled is how another hand than Takt's has made a job smaller, at a moment; zero if nobody was there to see when.
type Scaled struct {
	From resize.Workers `json:"from"`
	To   resize.Workers `json:"to"`
	At   time.Time      `json:"at,omitzero"`
}

// SeeSize takes the size that a job has at a moment, or had when it ended, and the one that Takt has asked it for last;
// 0 if it has not. A job that has another than that, and fewer workers than before, was made smaller by hand.
func (j *Job) SeeSize(size, asked resize.Workers, at time.Time, ended bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	before := cmp.Or(j.size, asked)
	if size < before && (size != asked || asked == 0) {
		j.scaled = &Scaled{From: before, To: size, At: at}
		if ended && j.size == 0 {
			j.scaled.At = time.Time{}
		}
	}
	j.size = size
}

// ScaledDown is how another hand than Takt's has last made the job smaller; nil if none has.
func (j *Job) ScaledDown() *Scaled {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.scaled
}
