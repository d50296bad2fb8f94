package show

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"golang.org/x/term"
)

// Screen is where something is shown that goes on. On a terminal the news scrolls by, and below it stays a table
// that is drawn anew in its place; elsewhere there are the news alone, a line each.
type Screen struct {
	to    io.Writer
	fd    int
	live  bool
	drawn int // lines of the table that are on the terminal
}

// NewScreen is one on a terminal, if the file is one.
func NewScreen(to *os.File) *Screen {
	fd := int(to.Fd())
	return &Screen{to: to, fd: fd, live: term.IsTerminal(fd) && os.Getenv("TERM") != "dumb"}
}

// Width is how many columns there are at present; false where there is no terminal to be filled. The last column of a
// terminal stays free: where a line ends there, terminals do not agree on where the next one begins.
func (s *Screen) Width() (int, bool) {
	if !s.live {
		return 0, false
	}
	if width, _, err := term.GetSize(s.fd); err == nil && width > 40 {
		return width - 1, true
	}
	return 79, true
}

// Colour says whether colours are shown and wanted.
func (s *Screen) Colour() bool { return s.live && os.Getenv("NO_COLOR") == "" }

// Say prints lines that stay, in the place of the table if there is one.
func (s *Screen) Say(lines ...string) { s.Show(lines, nil) }

// Show prints lines that stay, and the table below them, if there is room for it. It is one write, so
// that nothing flickers.
func (s *Screen) Show(lines, table []string) {
	if _, height, err := term.GetSize(s.fd); !s.live || err == nil && height <= len(table) {
		table = nil
	}
	var b strings.Builder
	if s.drawn > 0 {
		fmt.Fprintf(&b, "\x1b[%dA\r\x1b[J", s.drawn)
	}
	for _, line := range slices.Concat(lines, table) {
		b.WriteString(line + "\n")
	}
	s.drawn = len(table)
	_, _ = io.WriteString(s.to, b.String())
}

// Keep leaves the table as it is now where it is.
func (s *Screen) Keep(table []string) {
	s.Show(nil, table)
	s.drawn = 0
}

// Live says that it is a terminal, on which lines can be drawn over.
func (s *Screen) Live() bool { return s.live }

// Height is how many lines there are at present; 0 where nobody can tell.
func (s *Screen) Height() int {
	_, height, err := term.GetSize(s.fd)
	if err != nil {
		return 0
	}
	return height
}
