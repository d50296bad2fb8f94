package planning

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"

	"github.com/takt-dev/takt/elastic"
)

// Ten resizes that are decided together take as long to be made as one.
func TestResizesThatAreDecidedTogetherDoNotWaitForEachOther(t *testing.T) {
	p := NewPlanner(logr.Discard())
	p.AtOnce = 10
	synctest.Test(t, func(t *testing.T) {
		const answer = 100 * time.Millisecond // of the API server
		failed := errors.New("the API server is away")
		made := make([]func() error, p.AtOnce)
		for i := range made {
			made[i] = func() error {
				<-time.After(answer)
				return failed
			}
		}
		began := time.Now()
		errs := p.together(made)
		if took := time.Since(began); took != answer {
			t.Errorf("ten take %v, and one %v", took, answer)
		}
		for i, err := range errs {
			if !errors.Is(err, failed) {
				t.Errorf("of resize %d it is said: %v", i, err)
			}
		}
	})
}

// A growth that finds fewer GPUs than were free settles for the next size; a job that never has another waits for all.
func TestTheSmallestGrowthWorthHaving(t *testing.T) {
	sizes := []elastic.Size{{Workers: 1}, {Workers: 2}, {Workers: 4}, {Workers: 8}}
	for name, test := range map[string]struct {
		job      elastic.Job
		from, to elastic.Workers
		want     int32 // 0 for none
	}{
		"a start":                  {elastic.Job{Sizes: sizes}, 0, 8, 1},
		"a growth":                 {elastic.Job{Sizes: sizes}, 2, 8, 4},
		"to a size that it is not": {elastic.Job{Sizes: sizes}, 4, 6, 0},
		"not to be interrupted":    {elastic.Job{Sizes: sizes, Uninterruptible: true}, 0, 4, 4},
	} {
		got := acceptable(test.job, elastic.Resize{From: test.from, To: test.to})
		if test.want == 0 && got != nil || test.want > 0 && (got == nil || *got != test.want) {
			t.Errorf("%s: it settles for %v, want %d", name, got, test.want)
		}
	}
}
