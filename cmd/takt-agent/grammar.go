package main

import (
	"time"

	"github.com/takt-dev/takt/agent/output"
	"github.com/takt-dev/takt/printed"
)

// grammar reads the lines of a training as package printed does.
type grammar struct {
	reader printed.Reader
	line   []byte
	told   int
	tell   func(done, total float64, unit string)
}

func newGrammar(tell func(done, total float64, unit string)) output.Printed {
	return &grammar{tell: tell}
}

// Line reads a line, and tells what it says.
func (g *grammar) Line(line []byte, overwritten bool) {
	end := byte('\n')
	if overwritten {
		end = '\r'
	}
	g.line = append(append(g.line[:0], line...), end)
	g.reader.Write(g.line, time.Now())
	if told := g.reader.Told(); told != g.told {
		g.told = told
		if now := g.reader.Reading(); now.Unit != "" {
			g.tell(now.Done, now.Total, now.Unit)
		}
	}
}
