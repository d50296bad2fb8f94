package table

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Row is one line of a table.
type Row struct {
	fields []string
	at     map[string]int
}

// Text is the value of a column without the blanks around it.
func (r Row) Text(column string) string { return strings.TrimSpace(r.fields[r.at[column]]) }

// Optional is the value of a column that a table need not have; empty where it has none.
func (r Row) Optional(column string) string {
	if _, there := r.at[column]; !there {
		return ""
	}
	return r.Text(column)
}

// Number is the value of a column, which must be finite and at least as great as the least.
func (r Row) Number(column string, least float64) (float64, error) {
	text := r.Text(column)
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(value) || math.IsInf(value, 0) {
		return 0, fmt.Errorf("%s is %q: it must be a number", column, text)
	}
	if value < least {
		return 0, fmt.Errorf("%s is %s: it must be %g or more", column, text, least)
	}
	return value, nil
}
