package page

import (
	"slices"

	"github.com/takt-dev/takt/simulator"
)

// label is a name written into a band that has room for it.
type label struct {
	Class      string
	Percent, Y float64
	Text       string
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
