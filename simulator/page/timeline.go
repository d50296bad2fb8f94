package page

import "github.com/takt-dev/takt/simulator"

// The size of a timeline, in pixels.
const (
	timelineWidth  = 200
	timelineHeight = 18
)

// timeline is the life of one job in one line. It is stretched so that the deadline is always in
// the middle: what a job had done by then can be compared down the column.
type timeline struct {
	Before, Overdue string // boxes as thick as the GPUs, to the most that the job had
	Deadline, End   float64
	Finished        bool // the job was finished, at End
	Beyond          bool // it went on beyond the end of the line
}

func newTimeline(t *simulator.Training, held []spell) timeline {
	life := span{t.Submit, t.Submit, t.Submit + 2*max(t.Deadline-t.Submit, 1)}
	most := 1
	for _, s := range held {
		most = max(most, s.gpus)
	}
	x := func(at simulator.Seconds) float64 {
		return min(max(life.x(at, timelineWidth), 0), timelineWidth)
	}
	deadline := x(t.Deadline)
	var before, overdue []box
	for _, s := range held {
		half := max(1, float64(s.gpus)/float64(most)*(timelineHeight-4)/2)
		b := box{x(s.from), timelineHeight/2 - half, x(s.to), timelineHeight/2 + half}
		if left := (box{b.left, b.top, min(b.right, deadline), b.bottom}); left.width() > 0 {
			before = append(before, left)
		}
		if right := (box{max(b.left, deadline), b.top, b.right, b.bottom}); right.width() > 0 {
			overdue = append(overdue, right)
		}
	}
	line := timeline{
		Before: outline(before), Overdue: outline(overdue), Deadline: round(deadline), End: timelineWidth,
	}
	if t.Finished <= life.to {
		line.Finished, line.End = true, round(x(t.Finished))
	} else {
		line.Beyond = len(held) > 0 && held[len(held)-1].to > life.to
	}
	return line
}
