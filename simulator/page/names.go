package page

import (
	"slices"
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

// harmless is the page with all texts that the caller gave made fit to be shown. The names of jobs
// are made fit where they are used.
func (p Page) harmless() Page {
	p.Title = name(p.Title, 120)
	p.Conditions = slices.Clone(p.Conditions)
	for i, c := range p.Conditions {
		p.Conditions[i] = Condition{name(c.Label, 60), name(c.Value, 240)}
	}
	p.Runs = slices.Clone(p.Runs)
	for i := range p.Runs {
		p.Runs[i].Result.Policy = name(p.Runs[i].Result.Policy, 60)
	}
	return p
}
