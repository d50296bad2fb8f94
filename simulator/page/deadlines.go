package page

import (
	"math"

	"github.com/takt-dev/takt/simulator"
)

// due counts the deadlines that fall into each bucket of time.
type due struct {
	met, missed []int
	step        simulator.Seconds
	beyond      int // deadlines outside of the time that is drawn
}

// newDue counts by a round step of time.
func newDue(s span, jobs []*simulator.Training, most int) due {
	d := due{step: s.step(most)}
	n := max(1, int(math.Ceil(float64((s.to-s.origin)/d.step))))
	d.met, d.missed = make([]int, n), make([]int, n)
	for _, t := range jobs {
		v := verdictOf(t)
		if v == bestEffort {
			continue
		}
		if !s.holds(t.Deadline) {
			d.beyond++
			continue
		}
		i := min(int((t.Deadline-s.origin)/d.step), n-1) // the end belongs to the last
		if v == met {
			d.met[i]++
		} else {
			d.missed[i]++
		}
	}
	return d
}

// peak is the greatest count.
func (d due) peak() int {
	peak := 1
	for i := range d.met {
		peak = max(peak, d.met[i], d.missed[i])
	}
	return peak
}

// bars draws counts upwards from a line if scale is positive, downwards if it is negative.
func (d due) bars(s span, counts []int, line, scale, width float64) string {
	var boxes []box
	for i, n := range counts {
		if n == 0 {
			continue
		}
		from := s.origin + simulator.Seconds(i)*d.step
		left, right := max(0, s.x(from, width)), min(width, s.x(from+d.step, width))
		tip := line - scale*float64(n)
		boxes = append(boxes, box{left + 0.5, min(line, tip), max(left+1, right-0.5), max(line, tip)})
	}
	return outline(boxes)
}

// mark is one deadline below the chart of GPUs by job.
type mark struct {
	Percent float64
	Missed  bool
	Title   string
}

func marks(window span, jobs []*simulator.Training) []mark {
	var all []mark
	for _, t := range jobs {
		if v := verdictOf(t); v != bestEffort && window.holds(t.Deadline) {
			at := "deadline at " + window.moment(t.Deadline) + ": "
			all = append(all, mark{round(window.x(t.Deadline, 100)), v == missed, at + window.fate(t)})
		}
	}
	return all
}
