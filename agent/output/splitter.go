package output

import "bytes"

// Printed reads what trainings print. It is given one line after the other, without what ends it, and
// must not keep it. Overwritten says that the line is drawn over by the next, as progress bars are, and
// may be given again once more of it was written.
type Printed interface {
	Line(line []byte, overwritten bool)
}

// maxLine is how much of a line is kept. A training may write lines of 10 MB, or none for an hour.
const maxLine = 16 << 10

// A splitter makes lines of what is written in any pieces. The zero value has seen nothing.
type splitter struct {
	start  []byte // of the line that has not ended, at most maxLine of it
	ended  bool   // by a carriage return, which may belong to a line break
	drawn  bool   // the line follows on a carriage return, so it is drawn over another
	broken bool   // something before is missing, so the line is none
}

// split gives each line that ends in a piece to take. It keeps nothing of the piece. However the same
// output is cut into pieces, the same lines are given.
func (s *splitter) split(piece []byte, take func(line []byte, overwritten bool)) {
	if s.ended && len(piece) > 0 {
		s.ended = false
		s.end(nil, piece[0] != '\n', take)
		piece = bytes.TrimPrefix(piece, []byte("\n"))
	}
	for len(piece) > 0 {
		line, after, whole := bytes.Cut(piece, []byte("\n"))
		if whole {
			line = bytes.TrimSuffix(line, []byte("\r"))
		}
		for {
			state, next, drawn := bytes.Cut(line, []byte("\r"))
			if !drawn {
				break
			}
			if !whole && len(next) == 0 {
				s.keep(state)
				s.ended = true
				return
			}
			s.end(state, true, take)
			line = next
		}
		if !whole {
			s.keep(line)
			return
		}
		s.end(line, false, take)
		piece = after
	}
}

// end gives the line that ends with these bytes.
func (s *splitter) end(with []byte, overwritten bool, take func([]byte, bool)) {
	line := with
	if len(s.start) > 0 {
		s.keep(with)
		line = s.start
	}
	if !s.broken && len(line) > 0 {
		take(line[:min(len(line), maxLine)], overwritten)
	}
	s.start, s.drawn, s.broken = s.start[:0], overwritten, false
}

// rest gives what is drawn so far of a bar, once nothing more has come for a while: the next state of it,
// which would end this one, may be hours away. A line that is no bar is not given: it may have been cut
// anywhere.
func (s *splitter) rest(take func(line []byte, overwritten bool)) {
	if (s.drawn || s.ended) && !s.broken && len(s.start) > 0 {
		take(s.start, true)
	}
}

// gap says that something is missing here. What is known of the line is not given.
func (s *splitter) gap() {
	s.start, s.ended, s.drawn, s.broken = s.start[:0], false, false, true
}

// keep keeps the beginning of a line.
func (s *splitter) keep(part []byte) {
	if room := maxLine - len(s.start); room > 0 {
		s.start = append(s.start, part[:min(room, len(part))]...)
	}
}
