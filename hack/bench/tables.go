package main

import (
	"fmt"
	"strings"
)

// table is a table in Markdown.
type table struct{ rows [][]string }

func (t *table) row(cells ...any) {
	var row []string
	for _, c := range cells {
		if f, ok := c.(float64); ok {
			row = append(row, fmt.Sprintf("%.3f", f))
			continue
		}
		row = append(row, fmt.Sprint(c))
	}
	t.rows = append(t.rows, row)
}

func (t *table) String() string {
	var s strings.Builder
	for i, row := range t.rows {
		s.WriteString("| " + strings.Join(row, " | ") + " |\n")
		if i == 0 {
			s.WriteString("|" + strings.Repeat("---|", len(row)) + "\n")
		}
	}
	return s.String()
}
