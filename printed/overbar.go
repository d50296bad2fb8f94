package printed

import (
	"bytes"
	"strings"
)

// overBar reads a count that is written over a bar which was drawn before it, steps back within it, as many copies of
// pytorch-cifar do: " [==>...]  Step: 20ms | Tot: 1s", and then " 45/391 ".
type overBar struct{ drawn bool }

// take takes the next piece, and says what it counts of one step after the other; false if it counts nothing.
func (o *overBar) take(piece []byte) (c Count, ok bool) {
	const longest = 32
	text := bytes.TrimSpace(piece)
	if !o.drawn || len(text) == 0 || len(text) > longest {
		o.drawn = isTimedBar(text)
		return c, false
	}
	o.drawn = false
	done, total, cut := strings.Cut(string(text), "/")
	if !cut || total == "" {
		return c, false
	}
	return counted(done, total)
}

// isTimedBar says that a bar is drawn in plain signs, and how long a step takes behind it.
func isTimedBar(text []byte) bool {
	if len(text) == 0 || text[0] != '[' {
		return false
	}
	behind, ok := bytes.CutPrefix(bytes.TrimLeft(text[1:], "=>."), []byte("]"))
	return ok && bytes.HasPrefix(bytes.TrimLeft(behind, " "), []byte("Step: "))
}
