package elastic

import (
	"math/rand/v2"
	"testing"

	"github.com/takt-dev/takt/e2e/lib/extent"
)

const (
	minute    = Seconds(60)
	coldPause = Seconds(40)
)

// TestStoryPlansAMinuteApartAgree has cold jobs come, each change of whose size costs them most of a minute. They train
// as it is expected of them: a plan that is made a minute later, without any news, gives nobody the size back that it
// had.
func TestStoryPlansAMinuteApartAgree(t *testing.T) {
	t.Parallel()
	pairs, back, moved := 0, 0, 0
	for _, seed := range extent.Seeds(t, 100) {
		r := rand.New(rand.NewPCG(seed, 6))
		w := newWorld(t, r, someCluster(r))
		for n := range 20 {
			w.Jobs = append(w.Jobs, roams(r, cold(r, n, w), w.Queues))
			before := w.sizes()
			for range 3 {
				w.plan()
				now := w.sizes()
				if w.advance(w.Now + minute); w.t.Failed() || len(w.Jobs) < len(now) { // one has finished: that is news
					break
				}
				w.plan()
				pairs++
				for name, size := range w.sizes() {
					if size != now[name] {
						moved++
					}
					if was := before[name]; size != now[name] && size == was {
						back++
						t.Logf("history %d, at %v: %s had %d workers, was given %d, and a minute later %d", seed, w.Now, name, was,
							now[name], size)
					}
				}
				before = now
			}
			w.advance(w.Now + Seconds(r.ExpFloat64()*300))
		}
	}
	t.Logf("in %d pairs of plans %d jobs went on to another size, and %d went there and back", pairs, moved, back)
	if back > 0 {
		t.Errorf("%d jobs went there and back in %d pairs of plans, want none", back, pairs)
	}
}

// cold is a job that takes long, for what a change of its size costs, and whose deadline a fast one of its sizes may
// meet.
func cold(r *rand.Rand, n int, w *world) Job {
	j := someJob(r, n, w.Now, w.Queues)
	j.Left *= 10
	if j.Deadline != nil {
		j.Deadline = new(w.Now + 10*(*j.Deadline-w.Now))
	}
	j.Pause = coldPause
	return j
}

// sizes are those of all jobs.
func (w *world) sizes() map[string]Workers {
	sizes := map[string]Workers{}
	for _, j := range w.Jobs {
		sizes[j.Name] = j.Workers
	}
	return sizes
}
