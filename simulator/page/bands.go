package page

import (
	"fmt"

	"github.com/takt-dev/takt/simulator"
)

// band is what is drawn of one job on the chart of GPUs by job.
type band struct {
	Class string
	Path  string
	Title string
}

// outlines are the shapes of all jobs with the same verdict: what is hatched alike.
type outlines struct{ Missed, Overdue, Effort string }

func newOutlines(drawn []holding, jobs []*simulator.Training) outlines {
	var missing, overdue, effort []box
	for _, h := range drawn {
		switch verdictOf(jobs[h.index]) {
		case missed:
			missing = append(missing, h.boxes...)
		case bestEffort:
			effort = append(effort, h.boxes...)
		case met: // plain
		}
		overdue = append(overdue, h.overdue...)
	}
	return outlines{outline(missing), outline(overdue), outline(effort)}
}

// tones is how many shades tell neighbours apart.
const tones = 3

func bands(drawn []holding, jobs []*simulator.Training, s span) []band {
	var all []band
	for _, h := range drawn {
		t := jobs[h.index]
		title := s.fate(t)
		class := fmt.Sprintf("%s t%d", verdictOf(t), h.index%tones)
		if len(h.boxes) > 0 {
			all = append(all, band{class, outline(h.boxes), title})
		}
		if len(h.overdue) > 0 {
			all = append(all, band{"overdue", outline(h.overdue), title})
		}
	}
	return all
}
