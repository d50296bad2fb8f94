package show

import (
	"bufio"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// Columns is a table for people: the first column is text, the others are numbers.
type Columns struct {
	Heads [][]string // lines above, from the top
	Rows  [][]string
	Text  int // how many columns from the left are text, and not numbers
}

// Write aligns text to the left and numbers to the right, so that their digits stand in line.
func (c Columns) Write(w io.Writer) error {
	lines := slices.Concat(c.Heads, c.Rows)
	for i, line := range lines {
		lines[i] = make([]string, len(line))
		for j, cell := range line {
			lines[i][j] = plain(cell)
		}
	}
	var widths []int
	for _, line := range lines {
		for i, cell := range line {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	out := bufio.NewWriter(w)
	for _, line := range lines {
		var b strings.Builder
		for i, cell := range line {
			if i > 0 {
				b.WriteString("  ")
			}
			gap := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i < c.Text {
				b.WriteString(cell + gap)
			} else {
				b.WriteString(gap + cell)
			}
		}
		_, _ = out.WriteString(strings.TrimRight(b.String(), " ") + "\n")
	}
	return out.Flush()
}
