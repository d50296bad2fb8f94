package reach_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/takt-dev/takt/elastic/reach"
	"github.com/takt-dev/takt/elastic/resize"
)

func TestAGreatRangeIsThinned(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		least := resize.Workers(1 + random.IntN(1<<random.IntN(31)))
		r := reach.Range{Least: least, Most: least + resize.Workers(random.IntN(1<<random.IntN(31)))}
		present := resize.Workers(random.IntN(int(r.Most) + 10))
		sizes := reach.Job{}.Candidates(r, present)
		switch {
		case sizes[0] != r.Least || sizes[len(sizes)-1] != r.Most:
			t.Fatalf("those of %v with %d go from %d to %d", r, present, sizes[0], sizes[len(sizes)-1])
		case !slices.IsSorted(sizes) || len(slices.Compact(slices.Clone(sizes))) != len(sizes):
			t.Fatalf("those of %v with %d do not go up: %v", r, present, sizes)
		case slices.Contains(sizes, present) != (present >= r.Least && present <= r.Most):
			t.Fatalf("those of %v and the present size, %d: %v", r, present, sizes)
		case len(sizes) > 250:
			t.Fatalf("those of %v with %d are %d", r, present, len(sizes))
		case r.Most-r.Least < 16 && r.Most <= 16 && len(sizes) != int(r.Most-r.Least)+1:
			t.Fatalf("those of %v with %d leave some out of a small range: %v", r, present, sizes)
		}
	}
}

// Where a range has none of its sizes, and where a job has run with another, but does not now.
func TestCandidatesAreSizesThatAJobMayHave(t *testing.T) {
	named := reach.Job{Asked: reach.Asked{Choice: reach.Choice{Sizes: []resize.Workers{2, 4}}}}
	for name, c := range map[string]struct {
		of   reach.Range
		want []resize.Workers
	}{
		"it has run with another": {reach.Range{Least: 2, Most: 4}, []resize.Workers{2, 4}},
		"with little room":        {reach.Range{Least: 2, Most: 3}, []resize.Workers{2}},
		"with no room":            {reach.Range{Least: 8, Most: 8}, []resize.Workers{8}},
	} {
		if got := named.Candidates(c.of, 0); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// What a job may have is followed by what it might be allowed in addition.
func TestAboveAreSizesBeyondThoseThatAJobMayHave(t *testing.T) {
	own := reach.Range{Least: 2, Most: 4}
	for name, c := range map[string]struct {
		choice reach.Choice
		want   []resize.Workers
	}{
		"each":      {reach.Choice{}, []resize.Workers{3, 4, 5, 6}},
		"named":     {reach.Choice{Sizes: []resize.Workers{1, 2, 4}}, []resize.Workers{4, 5, 6}},
		"multiples": {reach.Choice{MultipleOf: 2}, []resize.Workers{4, 6}},
	} {
		job := reach.Job{Own: own, Asked: reach.Asked{Choice: c.choice}}
		if got := job.Above(2, 6); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
