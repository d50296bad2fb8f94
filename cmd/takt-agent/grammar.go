package main

import (
	"bytes"
	"time"

	"github.com/takt-dev/takt/agent"
	"github.com/takt-dev/takt/agent/output"
	"github.com/takt-dev/takt/printed"
)

// grammar reads the lines of a training as package printed does.
type grammar struct {
	of     agent.Training
	reader printed.Reader
	line   []byte
	told   int
	done   float64
	known  bool // how much there is to do was told
	saves  int
	saved  time.Time // when the training has last said so; zero once that was told

	all    budget
	aloud  budget // of lines that may tell of a checkpoint
	missed bool
}

const (
	// atOnce is how many lines are read in one go, such as all that a training prints at its start, and aSecond how many
	// are in the long run. Reading one takes ten microseconds: of a thousand lines a second, samples do.
	atOnce  = 2000
	aSecond = 200
	// telling is how many other lines one counts for that has told progress: the next tells hardly more.
	telling = 2
	// savesASecond are how many lines are read besides that may tell of a checkpoint. One that is missed does not come
	// again.
	savesASecond = 20
	// whole is how long after a training has said that it has saved its state it has to go on for that to be believed.
	// Many say so when they begin to, and write for as long as nothing goes on.
	whole = time.Second
)

func newGrammar(of agent.Training) output.Printed {
	g := &grammar{
		of: of, all: budget{most: atOnce, aSecond: aSecond}, aloud: budget{most: savesASecond, aSecond: savesASecond},
	}
	g.reader.Plan(printed.Started(of.Command, of.Environment))
	return g
}

// Line reads a line, and tells what it says.
func (g *grammar) Line(line []byte, overwritten bool) {
	now := time.Now()
	if !g.all.may(now) && (!printed.MaySave(line) || !g.aloud.may(now)) {
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
		g.all.left -= telling - 1
		if r := g.reader.Reading(); r.Unit != "" {
			if r.Done != g.done { // bars are drawn again where nothing goes on
				g.goesOn(now)
			}
			g.done, g.known = r.Done, r.Known()
			g.of.Progress(r.Done, r.Total, r.Unit)
		}
	}
	g.takeBack()
	if saves := g.reader.Saves(); saves != g.saves {
		g.saves = saves
		if !beside(line) {
			g.saved = now
		}
	}
}

// takeBack has forgotten what was told of a counter that was full and begins anew: it counts a part of the training.
func (g *grammar) takeBack() {
	if !g.known {
		return
	}
	if r := g.reader.Reading(); r.Part && !r.Known() {
		g.known = false
		g.of.OfPart()
	}
}

// goesOn takes that the training goes on, so that what it had begun to save before is whole.
func (g *grammar) goesOn(now time.Time) {
	if !g.saved.IsZero() && now.Sub(g.saved) >= whole {
		g.of.Saved(g.saved)
		g.saved = time.Time{}
	}
}

// beside says whether a state is saved beside the training, which then goes on before it is whole.
func beside(line []byte) bool { return bytes.Contains(bytes.ToLower(line), []byte("async")) }

// budget is how many lines may be read.
type budget struct {
	most, aSecond float64
	left          float64
	filled        time.Time
}

// may says whether one more is read.
func (b *budget) may(now time.Time) bool {
	if b.filled.IsZero() {
		b.left = b.most
	} else {
		b.left = min(b.most, b.left+b.aSecond*now.Sub(b.filled).Seconds())
	}
	b.filled = now
	if b.left < 1 {
		return false
	}
	b.left--
	return true
}
