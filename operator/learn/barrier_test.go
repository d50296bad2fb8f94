package learn

import (
	"fmt"
	"slices"
	"testing"

	"github.com/takt-dev/takt/operator/progress"
)

// Workers that wait at the barrier, cannot run, or have a node that does not answer do not train, though their pods are
// there. What the others do meanwhile is no measure of all, however long that takes, nor is what they do while the new
// ones load. That the others evaluate meanwhile is no sign that somebody has joined them.
func TestWhatOthersDoWhileWorkersDoNotTrainIsNoMeasureOfAll(t *testing.T) {
	for _, waits := range []int{0, 30, 300} { // seconds
		for _, evaluates := range []int{0, 12} {
			for _, follows := range []bool{false, true} {
				t.Run(fmt.Sprintf("%d s, others evaluate for %d s, operators follow each other: %t", waits, evaluates, follows),
					func(t *testing.T) {
						r := NewRun("resnet-1")
						for _, tell := range slices.Concat(one, []tell{team("ab", 0, 61)}) {
							tell(r)
						}
						read := func(s progress.Sample) {
							r.Sample(s, size(2))
							if got := speedOf(r, 2); got != 0 && got < 1.5 {
								t.Fatalf("at %v two do %.2f steps a second, want 2", s.At, got)
							}
						}
						done := 55
						for s := range waits {
							if s < 5 || s >= 5+evaluates {
								done++
							}
							r.Doubt(at(62 + s))
							read(steps(62+s, float64(done)))
							if follows {
								r = recalledFrom(t, r)
							}
						}
						in := 62 + waits
						for _, s := range slices.Concat(line(in, 1, 20, float64(done+1), 1), line(in+30, 1, 40, float64(done+21), 2)) {
							read(s)
						}
						if speedOf(r, 2) == 0 {
							t.Error("nothing is known of two")
						}
					})
			}
		}
	}
}

// A clock that was set back does not make it doubtful for long what is read.
func TestADoubtIsNoneOfWhatComesAfterTheClockWasSetBack(t *testing.T) {
	r := NewRun("resnet-1")
	reads(2, line(3600, 1, 20, 0, 2)...)(r)
	r.Doubt(at(3620))
	reads(2, line(10, 1, 20, 40, 2)...)(r)
	n := r.speeds[size(2)].count
	reads(2, line(30, 1, 10, 80, 2)...)(r)
	if got := r.speeds[size(2)].count; got != n+10 {
		t.Errorf("%d rates were learned of ten", got-n)
	}
}
