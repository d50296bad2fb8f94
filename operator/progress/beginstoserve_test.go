package progress

import (
	"slices"
	"testing"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// A training begins to serve its progress once it has loaded its data, say, and its log has told something before. It
// is asked so seldom that this costs next to nothing, and read from then on, as it comes first in the order.
func TestAnEndpointThatBeginsToServeLateIsNoticed(t *testing.T) {
	for name, source := range map[string]v1alpha1.ProgressSource{"the agent": agent, "Prometheus": prom} {
		for silent, most := range map[int]int{10: 5, 60: 8, 360: 13} { // readings, and how many of them may ask
			reader, sources, asked := stage()
			sources[logs].err = nil
			noticed, times := 0, 0
			for i := 0; noticed == 0 && i < silent+100; i++ {
				done := Sample{Done: float64(i + 1), Total: 90000, Unit: "steps"}
				sources[logs].answer = done
				if i >= silent {
					sources[source].answer, sources[source].err = done, nil
				}
				*asked = nil
				got, err := reader.Read(t.Context(), resnet(), sixOClock.Add(time.Duration(i)*ten))
				if err != nil {
					t.Fatal(err)
				}
				if i < silent && slices.Contains(*asked, source) {
					times++
				}
				if got.Source == source {
					noticed = i - silent + 1
				}
			}
			if times > most {
				t.Errorf("%s, silent for %d readings: it is asked %d times, more than %d", name, silent, times, most)
			}
			if noticed == 0 || noticed > 64+patience+1 {
				t.Errorf("%s, silent for %d readings: it is read %d readings later", name, silent, noticed)
			}
		}
	}
}
