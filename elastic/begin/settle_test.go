package begin_test

import (
	"slices"
	"testing"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/begin"
)

// A growth that finds fewer GPUs than were free settles for the next size; a job that never has another waits for all.
func TestTheSmallestGrowthWorthHaving(t *testing.T) {
	sizes := []elastic.Size{{Workers: 1}, {Workers: 2}, {Workers: 4}, {Workers: 8}}
	for name, test := range map[string]struct {
		job      elastic.Job
		from, to elastic.Workers
		want     []elastic.Workers
	}{
		"a start":                  {elastic.Job{Sizes: sizes}, 0, 8, []elastic.Workers{1, 2, 4, 8}},
		"a growth":                 {elastic.Job{Sizes: sizes}, 2, 8, []elastic.Workers{4, 8}},
		"to a size that it is not": {elastic.Job{Sizes: sizes}, 4, 6, nil},
		"not to be interrupted":    {elastic.Job{Sizes: sizes, Uninterruptible: true}, 0, 4, []elastic.Workers{4}},
	} {
		if got := begin.SettlesFor(test.job, elastic.Resize{From: test.from, To: test.to}); !slices.Equal(got, test.want) {
			t.Errorf("%s: it settles for %v, want %v", name, got, test.want)
		}
	}
}
