package live_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/takt-dev/takt/elastic/live"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/elastic/scenario"
)

// TestScenarios plays the scenarios in testdata. A line of a scenario is what is seen of a job; what is answered is
// indented:
//
//	job WORKERS [retries=] [failed=] [endsbyleaver] [wrapped] [otherended]
func TestScenarios(t *testing.T) {
	scenario.Play(t, func(t *testing.T, text string) string {
		return scenario.Answer(text, func(out *bytes.Buffer, words []string) {
			s := job(t, words[1:])
			resized := "while it trains"
			if hazard := s.Hazard(); hazard != "" {
				resized = "by a restart, " + string(hazard)
			}
			fmt.Fprintf(out, "  resized: %s; that goes by its profile: %t\n", resized, s.GoesByProfile())
		})
	})
}

func job(t *testing.T, words []string) live.Seen {
	t.Helper()
	has := func(word string) bool { return slices.Contains(words, word) }
	s := live.Seen{
		Workers:      resize.Workers(scenario.Number(t, words[0])),
		EndsByLeaver: has("endsbyleaver"), Wrapped: has("wrapped"), OtherEnded: has("otherended"),
	}
	for _, word := range words {
		switch key, value, _ := strings.Cut(word, "="); key {
		case "retries":
			s.Retries = new(scenario.Number(t, value))
		case "failed":
			s.Failed = scenario.Number(t, value)
		}
	}
	return s
}
