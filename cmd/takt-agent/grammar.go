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

	left   float64 // how many lines may be read now
	filled time.Time
	missed bool
}

const (
	// atOnce is how many lines are read in one go, such as all that a training prints at its start, and aSecond how many
	// are in the long run. Reading one takes ten microseconds: of a thousand lines a second, samples do.
	atOnce  = 2000
	aSecond = 200
	// telling is how many other lines one counts for that has told progress: the next tells hardly more.
	telling = 2
)

func newGrammar(tell func(done, total float64, unit string)) output.Printed {
	return &grammar{tell: tell}
}

// Line reads a line, and tells what it says.
func (g *grammar) Line(line []byte, overwritten bool) {
	now := time.Now()
	if !g.may(now) {
		g.missed = true
		return
	}
	if g.missed {
		g.missed = false
		g.reader.Missed()
	}
	end := byte('\n')
	if overwritten {
		end = '\r'
	}
	g.line = append(append(g.line[:0], line...), end)
	g.reader.Write(g.line, now)
	if told := g.reader.Told(); told != g.told {
		g.told = told
		g.left -= telling - 1
		if r := g.reader.Reading(); r.Unit != "" {
			g.tell(r.Done, r.Total, r.Unit)
		}
	}
}

// may says whether one more line is read.
func (g *grammar) may(now time.Time) bool {
	if g.filled.IsZero() {
		g.left = atOnce
	} else {
		g.left = min(atOnce, g.left+aSecond*now.Sub(g.filled).Seconds())
	}
	g.filled = now
	if g.left < 1 {
		return false
	}
	g.left--
	return true
}
