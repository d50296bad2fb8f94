package wording

import (
	"slices"
	"strings"
	"time"

	"github.com/takt-dev/takt/elastic"
)

// WithoutFigures are a text without its figures, which move all the time.
func WithoutFigures(text string) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(text), func(word string) bool {
		return strings.ContainsAny(word, "0123456789")
	}), " ")
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
