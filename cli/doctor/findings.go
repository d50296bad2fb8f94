package doctor

import (
	"fmt"
	"io"
	"strings"

	"github.com/takt-dev/takt/cli/show"
	"github.com/takt-dev/takt/elastic"
)

// Level is how bad a finding is.
type Level string

const (
	// OK means that all is as it should be.
	OK Level = "ok"
	// Unknown means that this could not be seen, by whoever asks.
	Unknown Level = "unknown"
	// Note means that something could be better, and nothing fails.
	Note Level = "note"
	// Broken means that something does not work before it is mended.
	Broken Level = "broken"
)

// Finding is one thing that was looked at.
type Finding struct {
	Level   Level  `json:"level"`
	Subject string `json:"subject"`
	Says    string `json:"says"`
	// Do is what to do about it; empty where nothing is to be done.
	Do string `json:"do,omitempty"`
}

// Findings are all of them.
type Findings []Finding

// Broken counts what does not work.
func (f Findings) Broken() int { return f.count(Broken) }

func (f Findings) count(level Level) (n int) {
	for _, finding := range f {
		if finding.Level == level {
			n++
		}
	}
	return n
}

// Write tells them to people.
func (f Findings) Write(w io.Writer) error {
	var b strings.Builder
	for _, finding := range f {
		head := fmt.Sprintf("%-8s", finding.Level)
		text := show.Wrapped(finding.Subject+": "+finding.Says, strings.Repeat(" ", len(head)), show.LineWidth)
		b.WriteString(head + strings.TrimLeft(text, " ") + "\n")
		if finding.Do != "" {
			b.WriteString(show.Wrapped("→ "+finding.Do, strings.Repeat(" ", len(head)), show.LineWidth) + "\n")
		}
	}
	b.WriteString("\n" + f.inShort() + "\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func (f Findings) inShort() string {
	broken, notes, unknown := f.Broken(), f.count(Note), f.count(Unknown)
	said := "All is as it should be."
	switch {
	case broken > 0:
		said = elastic.CountOf(broken, "thing") + " to mend."
	case unknown > 0:
		said = "Nothing is broken, as far as you may see."
	}
	if notes > 0 {
		said += fmt.Sprintf(" %s.", elastic.CountOf(notes, "note"))
	}
	return said
}
