package forecast_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/forecast"
	"github.com/takt-dev/takt/elastic/scenario"
)

// TestScenarios plays the scenarios in testdata. A line of a scenario is what is seen of a job; what is answered is
// indented:
//
//	job PLANNED [left=] [overruns=BY] [trains] [resized] [doubtful] [believed]
//	told VERDICT now VERDICT left=SPAN [spare=SPAN]
func TestScenarios(t *testing.T) {
	scenario.Play(t, func(t *testing.T, text string) string {
		return scenario.Answer(text, func(out *bytes.Buffer, words []string) {
			spans := map[string]time.Duration{}
			for _, word := range words {
				if key, value, found := strings.Cut(word, "="); found {
					spans[key] = scenario.Span(t, value)
				}
			}
			if words[0] == "told" {
				c := forecast.Change{Told: elastic.Verdict(words[1]), Now: elastic.Verdict(words[3]), Left: spans["left"]}
				if spare, known := spans["spare"]; known {
					c.Spare = &spare
				}
				fmt.Fprintf(out, "  keeps it for %s\n", c.Keeps())
				return
			}
			has := func(word string) bool { return slices.Contains(words, word) }
			s := forecast.Seen{
				Planned: elastic.Verdict(words[1]), Left: spans["left"], Trains: has("trains"), Resized: has("resized"),
				Doubtful: has("doubtful"), Believed: has("believed"),
			}
			s.By = spans["overruns"]
			_, s.Overruns = spans["overruns"]
			verdict, doubt := s.Verdict()
			if doubt != "" {
				doubt = ": " + doubt
			}
			fmt.Fprintf(out, "  tells %s%s\n", verdict, doubt)
		})
	})
}
