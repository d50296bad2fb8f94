package learn

import (
	"slices"
	"testing"
)

// Workers that wait at the barrier do not train, though their pods run: what the others do meanwhile is no measure of
// all of them, however long that takes, nor is what they do while the new ones load.
func TestWhatOthersDoWhileWorkersWaitIsNoMeasureOfAll(t *testing.T) {
	for _, waits := range []int{0, 30, 300} { // seconds
		r := NewRun("resnet-1")
		for _, tell := range slices.Concat(one, []tell{team("ab", 0, 61)}) {
			tell(r)
		}
		for s := range waits {
			r.AtBarrier(at(62 + s))
			r.Sample(steps(62+s, float64(55+s)), size(2))
		}
		in := 62 + waits
		for _, s := range slices.Concat(line(in, 1, 20, float64(55+waits), 1), line(in+30, 1, 40, float64(75+waits), 2)) {
			r.Sample(s, size(2))
			if got := speedOf(r, 2); got != 0 && got < 1.5 {
				t.Fatalf("they waited for %d s, and at %v two do %.2f steps a second, want 2", waits, s.At, got)
			}
		}
		if speedOf(r, 2) == 0 {
			t.Errorf("they waited for %d s, and nothing is known of two", waits)
		}
	}
}
