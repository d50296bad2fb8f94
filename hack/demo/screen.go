package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"golang.org/x/term"
)

// screen is where the demo is shown. On a terminal the news scrolls by, and below it stays a table
// that is drawn anew in its place; elsewhere there are the news alone, a line each.
type screen struct {
	to    io.Writer
	fd    int
	live  bool
	drawn int // lines of the table that are on the terminal
}

// plainWidth is the width of lines where there is no terminal to be filled.
const plainWidth = 1 << 20

func newScreen(to *os.File) *screen {
	fd := int(to.Fd())
	return &screen{to: to, fd: fd, live: term.IsTerminal(fd) && os.Getenv("TERM") != "dumb"}
}

// canvas is as wide as the terminal is now. Its last column stays free: where a line ends there,
// terminals do not agree on where the next one begins.
func (s *screen) canvas() canvas {
	if !s.live {
		return canvas{width: plainWidth}
	}
	c := canvas{width: 79, colour: os.Getenv("NO_COLOR") == ""}
	if width, _, err := term.GetSize(s.fd); err == nil && width > 40 {
		c.width = width - 1
	}
	return c
}

// say prints lines that stay, in the place of the table if there is one.
func (s *screen) say(lines ...string) { s.show(lines, nil) }

// show prints lines that stay, and the table below them, if there is room for it. It is one write, so
// that nothing flickers.
func (s *screen) show(lines, table []string) {
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

// keep leaves the table as it is now where it is.
func (s *screen) keep(table []string) {
	s.show(nil, table)
	s.drawn = 0
}
