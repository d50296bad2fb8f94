package show

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"

	"sigs.k8s.io/yaml"

	"github.com/takt-dev/takt/cli/usage"
)

// JSON is for machines, and can be read by people.
func JSON(w io.Writer, value any) error {
	var text bytes.Buffer
	out := json.NewEncoder(&text)
	out.SetIndent("", "  ")
	out.SetEscapeHTML(false)
	err := out.Encode(value)
	return written(w, text.Bytes(), err)
}

// written writes what has become text, or says why it could not.
func written(w io.Writer, text []byte, err error) error {
	if err != nil {
		return fmt.Errorf("the answer cannot be put into that form: %w. Choose another with -o", err)
	}
	if _, err := w.Write(text); err != nil {
		return fmt.Errorf("the answer cannot be written: %w. Have the output go elsewhere", err)
	}
	return nil
}

// Structured prints a value for programs, if that is the form.
func Structured(w io.Writer, form string, value any) (done bool, err error) {
	switch form {
	case usage.AsJSON:
		return true, JSON(w, value)
	case usage.AsYAML:
		text, err := yaml.Marshal(value)
		return true, written(w, text, err)
	}
	return false, nil
}

// Say tells people something.
func Say(w io.Writer, format string, args ...any) {
	_, _ = io.WriteString(w, usage.Called(fmt.Sprintf(format, args...)))
}

// Percent writes a ratio as a percentage to one place, without its sign.
func Percent(ratio float64) string { return fmt.Sprintf("%.1f", ratio*100) }

// Elapsed writes a span of time by its two greatest units, or one if it is long: 45s, 3h20m, 5d4h, 12d.
func Elapsed(seconds float64) string {
	if seconds < 0 {
		return "-" + Elapsed(-seconds)
	}
	if seconds < 60 {
		return fmt.Sprintf("%.0fs", seconds)
	}
	minutes := int64(min(seconds/60, 1e12))
	switch hours := minutes / 60; {
	case hours >= 10*24:
		return fmt.Sprintf("%dd", hours/24)
	case hours >= 24:
		return withRest(hours/24, "d", hours%24, "h")
	case hours > 0:
		return withRest(hours, "h", minutes%60, "m")
	}
	return fmt.Sprintf("%dm", minutes)
}

func withRest(n int64, unit string, rest int64, smaller string) string {
	if rest == 0 {
		return fmt.Sprintf("%d%s", n, unit)
	}
	return fmt.Sprintf("%d%s%d%s", n, unit, rest, smaller)
}

// LineWidth is what a line of prose is Wrapped at: it fits into a terminal as it is when opened.
const LineWidth = 80

// Wrapped breaks text between words into lines of this width, each after the indent.
func Wrapped(text, indent string, width int) string {
	var b strings.Builder
	at := 0
	for word := range strings.FieldsSeq(plain(usage.Called(text))) {
		switch {
		case at == 0:
			b.WriteString(indent)
			at = len([]rune(indent))
		case at+1+len([]rune(word)) > width:
			b.WriteString("\n" + indent)
			at = len([]rune(indent))
		default:
			b.WriteString(" ")
			at++
		}
		b.WriteString(word)
		at += len([]rune(word))
	}
	return b.String()
}

// plain is a text without what a terminal would obey. Messages of jobs are told by their pods, who may mean harm.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r
	}, text)
}

// Clip cuts a line to a width.
func Clip(line string, width int) string {
	if text := []rune(line); width > 0 && len(text) > width {
		return string(text[:width-1]) + "…"
	}
	return line
}
