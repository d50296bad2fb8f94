package records

import (
	"slices"
	"strings"
	"time"
)

// Record is what is kept of one job that has ended.
type Record struct {
	UID       string `json:"uid"` // of the job: another of its name is another record
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	Kind      string `json:"kind"`
	Queue     string `json:"queue,omitempty"`
	Profile   string `json:"profile,omitempty"`
	GPUType   string `json:"gpuType,omitempty"`

	// After are the ElasticJobs of its namespace that had to succeed before it started, and ElasticJob is its own, where
	// that is not called as the job is.
	After      []string `json:"after,omitempty"`
	ElasticJob string   `json:"elasticJob,omitempty"`
	Priority   int      `json:"priority,omitempty"` // within its queue

	Submitted time.Time `json:"submitted"`
	Ended     time.Time `json:"ended"`
	Deadline  time.Time `json:"deadline,omitzero"` // zero without one
	Outcome   Outcome   `json:"outcome"`
	ByQueue   bool      `json:"byQueue,omitempty"` // its queue has given it the deadline

	GPUsPerWorker int `json:"gpusPerWorker"`
	Leaders       int `json:"leaders,omitempty"` // how many of its workers have taken none, at each of its sizes
	Written       int `json:"written"`           // the size that it was written for
	Least         int `json:"least"`
	Most          int `json:"most"`

	// Work is what it has done, in Unit; 0 if nobody could read that. What was done twice counts once.
	Work   float64 `json:"work,omitempty"`
	Unit   string  `json:"unit,omitempty"`
	Speeds []Speed `json:"speeds,omitempty"`
	// Trained is for how many seconds it has run with so many workers.
	Trained []Spell `json:"trained,omitempty"`

	Resizes int     `json:"resizes,omitempty"`
	Paused  float64 `json:"paused,omitempty"` // seconds in which nothing was trained because of these
	Lost    float64 `json:"lost,omitempty"`   // seconds of training that had to be done again
}

// Outcome is how a job has ended.
type Outcome string

// The outcomes.
const (
	Succeeded Outcome = "Succeeded"
	Failed    Outcome = "Failed"
	CutShort  Outcome = "CutShort" // workers who left have ended it before its work was done
)

// Speed is how fast a job trains with so many workers, in units of work a second.
type Speed struct {
	Workers   int     `json:"workers"`
	PerSecond float64 `json:"perSecond"`
	Measured  bool    `json:"measured,omitempty"` // else it was predicted
}

// Spell is for how long a job had so many workers.
type Spell struct {
	Workers int     `json:"workers"`
	Seconds float64 `json:"seconds"`
}

// Measured says that it is known how much the job has done, and how fast it was at one size at least.
func (r Record) Measured() bool {
	for _, s := range r.Speeds {
		if s.Measured && s.PerSecond > 0 && r.Work > 0 {
			return true
		}
	}
	return false
}

// GPUHours are those in which it ran.
func (r Record) GPUHours() (hours float64) {
	for _, spell := range r.Trained {
		hours += spell.Seconds / 3600 * float64(r.GPUs(spell.Workers))
	}
	return hours
}

// GPUs are those that so many of its workers have.
func (r Record) GPUs(workers int) int {
	return max(workers-max(r.Leaders, 0), 0) * max(r.GPUsPerWorker, 1)
}

const (
	// mostSizes is of how many sizes a record tells, and of how many jobs before it. What people write is bounded too: a
	// record is a few hundred bytes, and no tenant makes it much more.
	mostSizes = 32
	// longestText is more than any name, queue, profile or kind of GPU in Kubernetes.
	longestText = 253
)

// bounded is the record with no more than there may be of anything.
func (r Record) bounded() Record {
	texts := []*string{&r.UID, &r.Namespace, &r.Name, &r.Kind, &r.Queue, &r.Profile, &r.GPUType, &r.Unit, &r.ElasticJob}
	r.After = slices.Clone(r.After[:min(len(r.After), mostSizes)])
	for i := range r.After {
		texts = append(texts, &r.After[i])
	}
	for _, text := range texts {
		if *text = strings.ToValidUTF8(*text, ""); len(*text) > longestText {
			*text = strings.ToValidUTF8((*text)[:longestText], "")
		}
	}
	r.Speeds, r.Trained = thinned(r.Speeds), r.Trained[:min(len(r.Trained), mostSizes)]
	return r
}

// thinned leaves as many speeds as there may be: both ends of the range, then those that were measured, then some in
// between.
func thinned(speeds []Speed) []Speed {
	n := len(speeds)
	if n <= mostSizes {
		return speeds
	}
	keep := map[int]bool{0: true, n - 1: true}
	for i, s := range speeds {
		if s.Measured && len(keep) < mostSizes {
			keep[i] = true
		}
	}
	for step := 1; len(keep) < mostSizes; step++ { // halves, then thirds, then quarters
		for part := 1; part <= step && len(keep) < mostSizes; part++ {
			keep[part*n/(step+1)] = true
		}
	}
	var left []Speed
	for i, s := range speeds {
		if keep[i] {
			left = append(left, s)
		}
	}
	return left
}
