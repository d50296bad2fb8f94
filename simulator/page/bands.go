package page

import (
	"fmt"
	"slices"

	"github.com/takt-dev/takt/simulator"
)

// band is what is drawn of one job on the chart of GPUs by job.
type band struct {
	Class string
	Path  string
	Title string
}

// label is a name written into a band that has room for it.
type label struct {
	Class      string
	Percent, Y float64
	Text       string
}

// holding is the boxes of one job: those before its deadline, and those after it.
type holding struct {
	index          int
	boxes, overdue []box
}

// hold draws spells as boxes on a chart of so many GPUs. No two boxes overlap.
func hold(window span, jobs []*simulator.Training, all []spell, gpus int, width, height float64) []holding {
	index := make(map[*simulator.Training]int, len(jobs))
	for i, t := range jobs {
		index[t] = i
	}
	type event struct {
		at        simulator.Seconds
		job, size int
		until     simulator.Seconds
	}
	var begun, events []event
	for _, s := range all {
		i := index[s.job]
		switch {
		case s.to <= window.from || s.from >= window.to:
			continue
		case s.from <= window.from:
			begun = append(begun, event{window.from, i, s.gpus, s.to})
		default:
			events = append(events, event{s.from, i, s.gpus, s.to})
		}
	}
	slices.SortStableFunc(begun, func(a, b event) int { return a.job - b.job })
	events = append(begun, events...)

	places := newRows(gpus)
	held := map[int]*holding{}
	var order []int
	leaving := map[int]simulator.Seconds{} // when the jobs that hold rows give them up
	for _, e := range events {
		for job, until := range leaving {
			if until <= e.at {
				places.release(job)
				delete(leaving, job)
			}
		}
		h := held[e.job]
		if h == nil {
			h = &holding{index: e.job}
			held[e.job] = h
			order = append(order, e.job)
		}
		for _, r := range places.resize(e.job, e.size) {
			h.draw(window, jobs[e.job].Deadline, e.at, e.until, r, float64(gpus), width, height)
		}
		leaving[e.job] = e.until
	}
	var drawn []holding
	for _, job := range order {
		drawn = append(drawn, *held[job])
	}
	return drawn
}

// draw adds a run of rows, cut at the deadline.
func (h *holding) draw(window span, deadline, from, to simulator.Seconds, r run, gpus, width, height float64) {
	x := func(at simulator.Seconds) float64 { return min(max(window.x(at, width), 0), width) }
	b := box{x(from), height * float64(r.low) / gpus, x(to), height * float64(r.high) / gpus}
	cut := min(max(x(deadline), b.left), b.right)
	if before := (box{b.left, b.top, cut, b.bottom}); before.width() > 0 {
		h.boxes = append(h.boxes, before)
	}
	if after := (box{cut, b.top, b.right, b.bottom}); after.width() > 0 {
		h.overdue = append(h.overdue, after)
	}
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

// The room that a name needs, in pixels.
const (
	letter     = 6.3
	lineHeight = 11
)

// labels names the jobs that have a box with room for it, within the box with the most.
func labels(drawn []holding, jobs []*simulator.Training, width float64) []label {
	var all []label
	for _, h := range drawn {
		var roomiest box
		for _, b := range slices.Concat(h.boxes, h.overdue) {
			if b.height() >= lineHeight && b.width() > roomiest.width() {
				roomiest = b
			}
		}
		id := name(jobs[h.index].ID, 24)
		letters := int(roomiest.width()/letter) - 1
		if letters >= min(len([]rune(id)), 7) {
			middle := round((roomiest.left + roomiest.right) / 2 / width * 100)
			all = append(all, label{
				Class: string(verdictOf(jobs[h.index])), Percent: middle,
				Y: round((roomiest.top+roomiest.bottom)/2 + 3.5), Text: name(id, letters),
			})
		}
	}
	return all
}
