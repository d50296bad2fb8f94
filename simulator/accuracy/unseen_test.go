package accuracy

import (
	"testing"

	"github.com/takt-dev/takt/predictor"
)

// What the predictor says of jobs like none that it was built by is as good as their scatter lets it be, and it says
// how sure that is: neither is a steady job taken for a restless one, nor the other way round.
func TestUnseenLaws(t *testing.T) {
	for _, want := range []struct {
		samples       int
		error         float64 // at most, in the mean, as a multiple of what nobody can know
		covered, most float64 // at most, in the mean and of any job
	}{
		{10, 2.3, 0.95, 1}, {20, 1.4, 0.945, 0.98},
	} {
		if testing.Short() && want.samples < 20 {
			continue
		}
		ratios, covered := 0.0, 0.0
		for i, law := range laws {
			report, err := evaluate(predictor.Usual(), School{}, law.table(uint64(i)), want.samples, 15, 1, false)
			if err != nil {
				t.Fatal(err)
			}
			t.Log(row(report))
			if report.Coverage90 > want.most {
				t.Errorf("%s: %g of all intervals of 90 %% hold the truth, want %g at most", law.name, report.Coverage90, want.most)
			}
			if report.Coverage90 < 0.8 {
				t.Errorf("%s: only %g of all intervals of 90 %% hold the truth", law.name, report.Coverage90)
			}
			ratios += report.MAPEMedian / *report.RepeatMAPE / float64(len(laws))
			covered += report.Coverage90 / float64(len(laws))
		}
		if ratios > want.error {
			t.Errorf("%d samples: the error is %.2f times the least, want %g", want.samples, ratios, want.error)
		}
		if covered > want.covered || covered < 0.85 {
			t.Errorf("%d samples: %.3f of all intervals of 90 %% hold the truth, want 0.85 to %g", want.samples, covered,
				want.covered)
		}
	}
}
