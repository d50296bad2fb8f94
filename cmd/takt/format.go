package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// writeJSON is for machines, and can be read by people.
func writeJSON(w io.Writer, value any) error {
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	out.SetEscapeHTML(false)
	return out.Encode(value)
}

func percent(ratio float64) string { return fmt.Sprintf("%.1f", ratio*100) }

// elapsed writes a span of time by its two greatest units, or one if it is long: 45s, 3h20m, 5d4h, 12d.
func elapsed(seconds float64) string {
	if seconds < 0 {
		return "-" + elapsed(-seconds)
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

// lineWidth is what a line of prose is wrapped at: it fits into a terminal as it is when opened.
const lineWidth = 80

// wrapped breaks text between words into lines of this width, each after the indent.
func wrapped(text, indent string, width int) string {
	var b strings.Builder
	at := 0
	for word := range strings.FieldsSeq(text) {
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
