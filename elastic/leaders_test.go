package elastic

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Leaders that take no GPU change nothing of what is decided for a job, or for others.
func TestLeadersWithoutGPUsTakeNoRoom(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 1))
		s := someCluster(r)
		for n := range 6 {
			j := roams(r, someJob(r, n, s.Now, s.Queues), s.Queues)
			if n == 0 {
				j.Workers = j.Sizes[0].Workers
			}
			s.Jobs = append(s.Jobs, j)
		}
		if err := s.Check(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		led := s
		led.Jobs = nil
		for i, j := range s.Jobs {
			if i%2 == 0 {
				j = j.withLeader()
			}
			led.Jobs = append(led.Jobs, j)
		}
		if err := led.Check(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		without, with := Plan(s), Plan(led)
		for i, o := range without.Jobs {
			o.Workers = beside(o.Workers, led.Jobs[i].Leaders)
			if w := with.Jobs[i]; w.Workers != o.Workers || w.Verdict != o.Verdict || w.Reason != o.Reason ||
				w.Promised != o.Promised {
				t.Errorf("seed %d: %s has %d (%s, %s) with leaders, and without them %d (%s, %s)", seed, o.Name, w.Workers,
					w.Verdict, w.Reason, o.Workers, o.Verdict, o.Reason)
			}
		}
		for i, w := range with.Resizes {
			led := led.Jobs[slices.IndexFunc(led.Jobs, func(j Job) bool { return j.Name == w.Job })].Leaders
			if o := without.Resizes[i]; w.Job != o.Job || w.From != beside(o.From, led) || w.To != beside(o.To, led) {
				t.Errorf("seed %d: with leaders %v, and without them %v", seed, w, o)
			}
		}
	}
}

// withLeader is a job with one leader more, who takes no GPU.
func (j Job) withLeader() Job {
	j.Leaders = 1
	j.Workers, j.Written = beside(j.Workers, 1), beside(j.Written, 1)
	j.Sizes, j.Elsewhere = besideAt(j.Sizes, 1), slices.Clone(j.Elsewhere)
	for i := range j.Elsewhere {
		j.Elsewhere[i].Sizes = besideAt(j.Elsewhere[i].Sizes, 1)
	}
	return j
}
