package memory

import (
	"hash/maphash"
	"math"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/coretime"
	"github.com/takt-dev/takt/operator/learn"
	"github.com/takt-dev/takt/operator/wording"
)

// Found is what a look at the progress finds that others go by.
type Found struct {
	source  v1alpha1.ProgressSource
	known   bool
	done    float64
	savedAt time.Time
	health  learn.Health
	said    uint64 // the hash of the gist of its sentence
	givenUp bool
}

var seed = maphash.MakeSeed()

// FoundBy is what others go by of how the progress is seen.
func FoundBy(view learn.View) Found {
	return Found{
		source: view.Source, known: view.Known, done: view.Done, savedAt: view.SavedAt,
		health: view.Health, said: maphash.String(seed, wording.Gist(view.Sentence)), givenUp: view.GivenUp,
	}
}

// News is what a look tells those who go by it.
type News int

// What a look may tell.
const (
	NoNews News = iota
	// AsForeseen is that the job has gone on as the last decision takes it to.
	AsForeseen
	// Unforeseen is all else.
	Unforeseen
)

// Finds takes what a look has found, and says which news that is: not only since the look has begun, as time alone has
// a reading go stale.
func (j *Job) Finds(is Found, at time.Time) News {
	j.mu.Lock()
	defer j.mu.Unlock()
	was := j.found
	if j.found = is; was.done != is.done {
		j.foundAt = at
	}
	switch {
	case was == is:
		return NoNews
	case was.goesOn() == is.goesOn() && j.foresaw(is.done, at):
		return AsForeseen
	}
	return Unforeseen
}

// goesOn is what stays the same while a job trains on: it gets further, and saves its state again and again.
func (f Found) goesOn() Found {
	f.done = 0
	if !f.savedAt.IsZero() {
		f.savedAt = time.Unix(0, 0)
	}
	return f
}

// foresaw says that a job is about as far as the last decision takes it to be: if it ends by as much later, or sooner,
// nobody is told.
func (j *Job) foresaw(done float64, at time.Time) bool {
	if j.decision == nil || j.decision.ExpectedEnd == nil || j.decision.LateEnd == nil || j.reckonedAt.IsZero() {
		return false
	}
	end, from := *j.decision.ExpectedEnd, coretime.Seconds(j.reckonedAt)
	takes, passed := float64(end-from), float64(coretime.Seconds(at)-from)
	took := takes * (done - j.reckoned) / (1 - j.reckoned)
	if math.IsNaN(took) {
		return false
	}
	then := end + elastic.Seconds(passed-took)
	return !moved(&end, &then, at)
}
