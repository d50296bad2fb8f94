package wording

import (
	"slices"
	"strings"
	"time"

	"github.com/takt-dev/takt/elastic"
)

// WithoutFigures are a text without its figures, which move all the time. A name that has a digit is none: where it is
// another, the text is about something else.
func WithoutFigures(text string) string { return without(text, isFigure) }

// Gist is what a text says, whomever it names and by whichever figures.
func Gist(text string) string {
	return without(text, func(word string) bool { return strings.ContainsAny(word, digits) })
}

const digits = "0123456789"

// isFigure says that a word begins with a digit, or with one after a sign, a bracket or a quotation mark.
func isFigure(word string) bool {
	figure := strings.TrimLeft(word, `+-±~≈([{<"'“‘`)
	return figure != "" && strings.ContainsRune(digits, rune(figure[0]))
}

func without(text string, drop func(word string) bool) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(text), drop), " ")
}

// Span is a span of time as the columns show it: 39m, or -1h5m.
func Span(d time.Duration) string {
	if d <= -time.Second {
		return "-" + elastic.Shorten(elastic.Seconds(-d.Seconds()))
	}
	return elastic.Shorten(elastic.Seconds(d.Seconds()))
}

// Away is how far something is from a moment that it has missed or met.
func Away(d time.Duration) string { return elastic.Away(elastic.Seconds(d.Seconds())) }

// Or writes names as a person would.
func Or[S ~string](names []S) string {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = string(name)
	}
	return strings.Join(all, " or ")
}
