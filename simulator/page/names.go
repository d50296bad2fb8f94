package page

import (
	"strings"
	"unicode"
)

// name makes the name of a job fit to be shown: names come from files, and may hold anything.
// Characters that cannot be seen, or turn the text around them, give way to one that can be seen.
func name(text string, most int) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsGraphic(r) {
			return r
		}
		return unicode.ReplacementChar
	}, text)
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}
