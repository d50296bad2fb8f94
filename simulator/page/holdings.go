package page

import (
	"slices"

	"github.com/takt-dev/takt/simulator"
)

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
		for _, r := range places.resize(e.job, e.size, sideOf(jobs[e.job])) {
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

// sideOf puts the jobs that missed their deadline above those that met it.
func sideOf(t *simulator.Training) side {
	if verdictOf(t) == missed {
		return top
	}
	return bottom
}

// draw adds a run of rows, cut at the deadline.
func (h *holding) draw(window span, deadline, from, to simulator.Seconds, r run, gpus, width, height float64) {
	x := func(at simulator.Seconds) float64 { return min(max(window.x(at, width), 0), width) }
	b := box{x(from), height * (1 - float64(r.high)/gpus), x(to), height * (1 - float64(r.low)/gpus)}
	cut := min(max(x(deadline), b.left), b.right)
	if before := (box{b.left, b.top, cut, b.bottom}); before.width() > 0 {
		h.boxes = append(h.boxes, before)
	}
	if after := (box{cut, b.top, b.right, b.bottom}); after.width() > 0 {
		h.overdue = append(h.overdue, after)
	}
}
