package accuracy

import (
	"fmt"
	"testing"

	"github.com/takt-dev/takt/predictor"
)

// pupil is a job on a network that is slow between two nodes, which most of its settings are not on.
func pupil(app string, computing, exchange float64) Table {
	table := Table{App: app}
	for _, digits := range []string{"1", "2", "4", "22", "44", "222", "224", "444", "2222", "2244", "4444", "44444"} {
		workers := 0
		for _, digit := range digits {
			workers += int(digit - '0')
		}
		for _, batch := range []float64{8, 16, 32} {
			waits := 0.0
			switch {
			case len(digits) == 2:
				waits = 2 * exchange
			case workers > 1:
				waits = exchange * (1 + 0.02*float64(workers))
			}
			table.Settings = append(table.Settings, Setting{
				Name:  fmt.Sprintf("%s×%g", digits, batch),
				Shape: predictor.Shape{Workers: predictor.Workers(workers), Nodes: len(digits), Batch: batch},
				Step:  predictor.Seconds(0.05 + computing*batch + waits), Sync: predictor.Seconds(waits),
			})
		}
	}
	return table
}

// Jobs that were on the network before teach one that comes to it.
func TestASchoolTeaches(t *testing.T) {
	job := pupil("new", 0.01, 0.6)
	report := func(school School) Report {
		t.Helper()
		r, err := evaluate(predictor.Usual(), school, job, 4, 9, 1, false)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	others := []Table{pupil("a", 0.02, 0.5), pupil("b", 0.005, 0.3)}
	alone, taught := report(School{}), report(School{Others: others, Samples: 20})
	if taught.MAPEMedian > 0.9*alone.MAPEMedian {
		t.Errorf("alone it errs by %g, taught by %g", alone.MAPEMedian, taught.MAPEMedian)
	}
	if more := report(School{Others: others, Samples: 1000}); more.MAPEMedian > alone.MAPEMedian {
		t.Errorf("taught by all that there is it errs by %g", more.MAPEMedian)
	}
	if none := report(School{Others: others}); none.MAPEMedian != alone.MAPEMedian {
		t.Errorf("with others that were never measured it errs by %g, alone by %g", none.MAPEMedian, alone.MAPEMedian)
	}
}
