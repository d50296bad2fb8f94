package learn

import "testing"

// A training that slows down after each start has done so once, however many sizes it has by turns: one that it had
// before is not slower with each of them.
func TestATrainingThatSlowsDownAfterEachStartHasDoneSoOnce(t *testing.T) {
	for name, reborn := range map[string]bool{"it goes on": false, "the operator is started anew each time": true} {
		t.Run(name, func(t *testing.T) {
			w := beginsWatched(2)
			w.trainsAnHour()
			before := w.sizes(2)[0]
			for round := range 4 {
				for _, workers := range []int{4, 8} {
					w.restarts(workers)
					for _, w.pace = range []float64{1, 0.7} {
						w.trainsAnHour()
					}
					if reborn {
						w.run = recalled(t, w.run)
					}
				}
				// Until it comes back to a size that it had, nobody can tell that the start has made it fast again.
				least := 0.6
				if round == 0 {
					least = 0.4
				}
				if got := float64(w.sizes(2)[0].Expected / before.Expected); got < least || got > 0.85 {
					t.Errorf("after round %d it is taken to be %.2f times as fast with two workers, want about 0.7", round+1, got)
				}
			}
		})
	}
}
