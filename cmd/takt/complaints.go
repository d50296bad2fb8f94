package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/takt-dev/takt/simulator/table"
)

// complaints is what is wrong with files that can be used all the same.
type complaints []string

// shown is how many complaints are told in full: a file that is wrong in every line must not fill
// the screen.
const shown = 10

func (c *complaints) add(format string, args ...any) {
	const longest = 300
	oneLine := strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", "; ")
	text := []rune(oneLine)
	if len(text) > longest {
		text = append(text[:longest-1], '…')
	}
	*c = append(*c, string(text))
}

func (c *complaints) rows(file string, bad []table.BadRow) {
	for _, row := range bad {
		c.add("%s: line %d is left out: %s", file, row.Line, row.Reason)
	}
}

func (c complaints) report(w io.Writer) {
	for _, complaint := range c[:min(len(c), shown)] {
		fmt.Fprintln(w, "takt:", complaint)
	}
	if more := len(c) - shown; more > 0 {
		fmt.Fprintf(w, "takt: and %d more\n", more)
	}
}
