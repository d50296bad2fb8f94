package elastic

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
)

// FuzzPlan plans whatever passes Check: that ends soon, breaks no rule, and can be written down.
func FuzzPlan(f *testing.F) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		s := someCluster(r)
		for n := range 1 + r.IntN(6) {
			s.Jobs = append(s.Jobs, someJob(r, n, s.Now, s.Queues))
		}
		if seed%2 == 0 {
			s, _ = s.after(Plan(s))
			s.Now += 0.5
		}
		snapshot, err := json.Marshal(s)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(snapshot)
	}
	f.Fuzz(func(t *testing.T, snapshot []byte) {
		var s Snapshot
		if len(snapshot) > 1<<14 || json.Unmarshal(snapshot, &s) != nil || s.Check() != nil {
			t.Skip()
		}
		d := Plan(s)
		if _, err := json.Marshal(d); err != nil {
			t.Error(err)
		}
		for _, complaint := range broken(s, d) {
			t.Error(complaint)
		}
	})
}
