package simulator

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// row is one line of a table.
type row struct {
	fields []string
	at     map[string]int
}

func (r row) text(column string) string { return strings.TrimSpace(r.fields[r.at[column]]) }

// number is the value of a column, which must be finite and at least as great as the least.
func (r row) number(column string, least float64) (float64, error) {
	text := r.text(column)
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(value) || math.IsInf(value, 0) {
		return 0, fmt.Errorf("%s is %q: it must be a number", column, text)
	}
	if value < least {
		return 0, fmt.Errorf("%s is %s: it must be %g or more", column, text, least)
	}
	return value, nil
}
