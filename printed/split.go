package printed

import (
	"bytes"
	"slices"
	"sync"
	"time"
)

// A longer piece of a line is not looked at.
const maxPiece = 8 << 10

// splitter cuts output into pieces: lines, and the states of a line that is written over itself.
type splitter struct {
	rest    []byte // of a piece that has no end yet; at most maxPiece
	tooLong bool   // the piece is longer, and passed over
}

// write gives the pieces that end within p.
func (s *splitter) write(p []byte, piece func(piece []byte, endsLine bool)) {
	for len(p) > 0 {
		end := bytes.IndexAny(p, "\n\r\b")
		if end < 0 {
			s.keep(p)
			return
		}
		whole := p[:end]
		if len(s.rest) > 0 {
			s.keep(whole)
			whole = s.rest
		}
		if !s.tooLong && len(whole) <= maxPiece && (len(whole) > 0 || p[end] == '\n') {
			piece(whole, p[end] == '\n')
		}
		s.rest, s.tooLong = s.rest[:0], false
		p = p[end+1:]
	}
}

func (s *splitter) keep(p []byte) {
	if s.tooLong || len(s.rest)+len(p) > maxPiece {
		s.rest, s.tooLong = s.rest[:0], true
		return
	}
	s.rest = append(s.rest, p...)
}

// Write takes output as it comes, in pieces of any length, and when it came; the zero time if that is not known.
func (r *Reader) Write(p []byte, at time.Time) {
	r.split.write(p, func(piece []byte, endsLine bool) {
		if len(piece) > 0 {
			r.piece(piece, at)
		}
		if endsLine {
			r.process = ""
		}
	})
}

// rooms are to put pieces into in plain text. Readers share them, as there may be thousands of these.
var rooms = sync.Pool{New: func() any { return new([]byte) }}

// piece reads one piece.
func (r *Reader) piece(piece []byte, at time.Time) {
	if r.title && isRule(piece) {
		r.epochs.ruled()
	}
	r.title = false
	if c, ok := r.overBar.take(piece); ok {
		r.take(&seen{text: string(piece), form: "over a bar", process: r.process, bar: true, step: &c}, at)
		return
	}
	if !promising(piece) {
		r.evaluation.title(piece)
		return
	}
	room := rooms.Get().(*[]byte)
	text, has, up := plain(piece, *room)
	rest := string(text)
	*room = text
	rooms.Put(room)
	for range mostBars {
		s, ok := r.table.row(rest)
		if !ok {
			r.table.head(rest)
			s = read(rest, has, up)
		}
		if s.process == "" {
			s.process = r.process // as the first piece of the line has said
		}
		r.process = s.process
		told := r.told
		r.take(&s, at)
		r.follow.tells = r.follow.tells || s.process != "" && r.told > told
		if rest = s.rest; len(rest) < shortest {
			return
		}
	}
}

const (
	// mostBars are how many bars of one piece are read, and what stands behind them.
	mostBars = 3
	// shortest is the shortest text that may tell anything.
	shortest = 6
)

// isRule says that a piece is a row of dashes.
func isRule(piece []byte) bool { return len(piece) > 4 && len(bytes.Trim(piece, "- \t")) == 0 }

// promising says at a glance whether a piece may tell anything.
func promising(piece []byte) bool {
	for _, b := range piece {
		if b >= '0' && b <= '9' {
			return true
		}
	}
	for _, word := range telling {
		if bytes.Contains(piece, word) {
			return true
		}
	}
	return false
}

// MaySave says at a glance whether a line may tell that the state was saved.
func MaySave(line []byte) bool {
	for _, word := range saving {
		if bytes.Contains(line, word) {
			return true
		}
	}
	return false
}

// saving are parts of what does.
var saving = [][]byte{[]byte("heckpoint"), []byte("napshot"), []byte("CHECKPOINT"), []byte("SNAPSHOT"), []byte(".ckpt")}

// telling are parts of what tells something without a number.
var telling = append(slices.Clone(saving), []byte("unning training"), []byte("esuming"), []byte("esumed"),
	[]byte("poch"))
