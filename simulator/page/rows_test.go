package page

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRowsKeepAJobTogether(t *testing.T) {
	r := newRows(8)
	type step struct {
		job, size int
		from      side
	}
	for i, test := range []struct {
		step
		want []run
	}{
		{step{0, 2, bottom}, []run{{0, 2}}},
		{step{1, 2, bottom}, []run{{2, 4}}},
		{step{2, 2, top}, []run{{6, 8}}},
		{step{1, 1, bottom}, []run{{2, 3}}},      // stays
		{step{1, 2, top}, []run{{2, 4}}},         // grows back, whatever its side
		{step{0, 0, bottom}, nil},                // leaves a gap of two
		{step{3, 1, bottom}, []run{{0, 1}}},      // the first gap from its side
		{step{4, 1, top}, []run{{5, 6}}},         // and from the other
		{step{2, 3, top}, []run{{6, 8}, {4, 5}}}, // no gap is wide enough: the widest first
		{step{5, 3, bottom}, []run{{1, 2}}},      // what is left
		{step{6, 3, top}, nil},                   // nothing is left
	} {
		if diff := cmp.Diff(test.want, r.resize(test.job, test.size, test.from), cmp.AllowUnexported(run{})); diff != "" {
			t.Errorf("step %d: %s", i, diff)
		}
	}
}

func TestRowsGiveWhatIsAskedFor(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const n, jobs = 32, 9
	r := newRows(n)
	sizes := make([]int, jobs)
	for range 5000 {
		job := random.IntN(jobs)
		free := n
		for other, size := range sizes {
			if other != job {
				free -= size
			}
		}
		sizes[job] = random.IntN(free + 1)
		widest := 0
		without := rows{slices.Clone(r.owner)}
		without.release(job)
		for _, gap := range without.of(none) {
			widest = max(widest, gap.size())
		}
		got := r.resize(job, sizes[job], side(job%2))
		sum := 0
		for _, run := range got {
			sum += run.size()
		}
		if sum != sizes[job] {
			t.Fatalf("job %d has %d rows, want %d", job, sum, sizes[job])
		}
		if sizes[job] <= widest && len(got) > 1 {
			t.Fatalf("job %d is in pieces %v, and there was a gap of %d", job, got, widest)
		}
		// Each row has one owner, so that none can be given twice without one being lost.
		for other, size := range sizes {
			sum := 0
			for _, run := range r.of(other) {
				sum += run.size()
			}
			if sum != size {
				t.Fatalf("job %d has %d rows, want %d, after a change of job %d", other, sum, size, job)
			}
		}
	}
}
