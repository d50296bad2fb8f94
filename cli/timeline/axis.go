package timeline

import (
	"strings"
	"time"
)

// axis is how moments are laid out over the columns of a chart.
type axis struct {
	from, to time.Time
	columns  int
}

// at is the column of a moment; the last one is at the end.
func (a axis) at(t time.Time) int {
	whole := a.to.Sub(a.from)
	if whole <= 0 {
		return 0
	}
	share := float64(t.Sub(a.from)) / float64(whole)
	return max(0, min(a.columns-1, int(share*float64(a.columns-1)+0.5)))
}

// middle is the moment in the middle of a column.
func (a axis) middle(column int) time.Time {
	return a.from.Add(time.Duration(float64(a.to.Sub(a.from)) * float64(column) / float64(max(a.columns-1, 1))))
}

// mark is a moment with a name below the axis.
type mark struct {
	at   time.Time
	name string
}

// marks are lines below the axis, as many as it takes for no two names to touch.
func (a axis) marks(marks []mark) []string {
	line := []rune(strings.Repeat("─", a.columns))
	var names [][]rune
	for _, m := range marks {
		column := a.at(m.at)
		line[column] = '┬'
		text := []rune(m.name)
		begin := max(0, min(column, a.columns-len(text)))
		names = place(names, begin, text)
	}
	lines := []string{string(line)}
	for _, n := range names {
		lines = append(lines, strings.TrimRight(string(n), " "))
	}
	return lines
}

// place puts a text into the first line that has room for it there.
func place(lines [][]rune, begin int, text []rune) [][]rune {
	for i, line := range lines {
		if len(line)+1 < begin+1 || len(line) == 0 {
			lines[i] = append(append(line, []rune(strings.Repeat(" ", begin-len(line)))...), text...)
			return lines
		}
	}
	return append(lines, append([]rune(strings.Repeat(" ", begin)), text...))
}
