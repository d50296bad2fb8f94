package reporting_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/progress"
)

// A job that writes the steps of each epoch on itself, of buckets that are not all as long, is not told to be nearly
// done at the end of each: not by the next process either.
func TestEachEpochIsNotTheEnd(t *testing.T) {
	for name, killEvery := range map[string]int{"one operator": 0, "operators that are killed": 7} {
		t.Run(name, func(t *testing.T) {
			silent := func(float64) (progress.Sample, error) { return progress.Sample{}, progress.ErrNone }
			w := fixture.Watch(t, silent)
			w.Note = func(seconds float64) string {
				lengths := []float64{100, 98, 101, 97, 102, 100}
				epoch, step := int(seconds/200), math.Mod(seconds, 200)/200
				return fmt.Sprintf("%.0f/%.0f steps", math.Floor(step*lengths[epoch]), lengths[epoch])
			}
			w.Minutes(4, killEvery)
			for range 9 {
				w.Minutes(1, killEvery)
				st := fixture.Get(t, w.Rooms, w.Job, &v1alpha1.ElasticJob{}).Status
				if st.Verdict != v1alpha1.VerdictBestEffort || st.Prediction.ETA != "" || st.Summary.Progress != "" ||
					!strings.Contains(st.Message, "nobody knows how many") {
					t.Fatalf("%s: %s, %s, ETA %s: %s", w.At, st.Verdict, st.Summary.Progress, st.Prediction.ETA, st.Message)
				}
			}
		})
	}
}
