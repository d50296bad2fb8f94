package progress

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// A log that never tells anything is not read each time that a job is looked at; one that begins to is noticed within a
// part of the time that it was silent for.
func TestASourceThatTellsNothingIsAskedMoreRarely(t *testing.T) {
	for silent, most := range map[int]int{6: 6, 30: 20, 360: 45, 6 * 360: 60} { // looks, and how many of them may ask
		for _, annotated := range []bool{false, true} {
			t.Run(fmt.Sprintf("silent for %d looks, with an annotation: %t", silent, annotated), func(t *testing.T) {
				reader, sources, order := stage()
				if annotated { // which is there as it was written at first
					sources[annotation].answer, sources[annotation].err = Sample{Done: 5, Total: 90000, Unit: "steps"}, nil
				}
				asked, noticed := 0, 0
				for i := 0; noticed == 0 && i < 2*silent+2; i++ {
					if i >= silent {
						sources[logs].answer, sources[logs].err = Sample{Done: float64(i), Total: 90000, Unit: "steps"}, nil
					}
					*order = nil
					got, _ := reader.Read(t.Context(), resnet(), sixOClock.Add(time.Duration(i)*ten))
					if i < silent && slices.Contains(*order, logs) {
						asked++
					}
					if got.Source == logs {
						noticed = i - silent + 1
					}
				}
				if asked > most {
					t.Errorf("it is asked %d times, more than %d", asked, most)
				}
				if noticed == 0 || noticed > silent/5+1 {
					t.Errorf("that it tells something is noticed after %d looks", noticed)
				}
			})
		}
	}
}
