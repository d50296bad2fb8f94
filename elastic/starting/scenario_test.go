package starting_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/takt-dev/takt/elastic/scenario"
	"github.com/takt-dev/takt/elastic/starting"
)

// TestScenarios plays the scenarios in testdata. A line of a scenario is what is seen of a worker; what is answered is
// indented:
//
//	crash STARTS [waits] [pause=SPAN]     its container was started anew so often
//	unprepared SPAN                       its node has had no volumes and no network for it for so long
func TestScenarios(t *testing.T) {
	scenario.Play(t, func(t *testing.T, text string) string {
		var out strings.Builder
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "  ") {
				continue
			}
			out.WriteString(line)
			words := strings.Fields(line)
			if len(words) == 0 {
				continue
			}
			switch words[0] {
			case "crash":
				fmt.Fprintf(&out, "  for good: %t\n", crash(t, words[1:]).Lasts())
			case "unprepared":
				now := time.Date(2026, 11, 21, 18, 0, 0, 0, time.UTC)
				fmt.Fprintf(&out, "  for good: %t\n", starting.Unprepared(now.Add(-span(t, words[1])), now))
			}
		}
		return out.String()
	})
}

func crash(t *testing.T, words []string) starting.Crash {
	t.Helper()
	starts, err := strconv.Atoi(words[0])
	if err != nil {
		t.Fatal(err)
	}
	c := starting.Crash{Starts: starts, Waits: slices.Contains(words, "waits")}
	for _, word := range words {
		if pause, found := strings.CutPrefix(word, "pause="); found {
			c.Pause = span(t, pause)
		}
	}
	return c
}

func span(t *testing.T, word string) time.Duration {
	t.Helper()
	d, err := time.ParseDuration(word)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
