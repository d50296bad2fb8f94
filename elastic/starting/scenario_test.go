package starting_test

import (
	"bytes"
	"fmt"
	"slices"
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
//	own SIZE holds=N had=N room=N made=SPAN  a job whose workers come by themselves, the newest so long ago
//	team MADE:STATE… [together] [idle] [moved=MOMENT]
//	                                      all of a job; one runs, crashes, pends, or pends and cannot run: for good, for
//	                                      now, or in part
func TestScenarios(t *testing.T) {
	scenario.Play(t, func(t *testing.T, text string) string {
		return scenario.Answer(text, func(out *bytes.Buffer, words []string) {
			switch words[0] {
			case "crash":
				fmt.Fprintf(out, "  for good: %t\n", crash(t, words[1:]).Lasts())
			case "team":
				notBegun, forGood := team(t, words[1:]).NotBegun()
				fmt.Fprintf(out, "  it has not begun: %t, for good: %t\n", notBegun, forGood)
			case "own":
				workers, yetToStart, until := own(t, words[1:]).Keeps(now)
				fmt.Fprintf(out, "  others leave it %d, yet to start: %t", workers, yetToStart)
				if !until.IsZero() {
					fmt.Fprintf(out, ", until in %s", until.Sub(now))
				}
				fmt.Fprintln(out)
			case "unprepared":
				fmt.Fprintf(out, "  for good: %t\n", starting.Unprepared(now.Add(-scenario.Span(t, words[1])), now))
			}
		})
	})
}

var now = time.Date(2026, 11, 21, 18, 0, 0, 0, time.UTC)

// hurdles are those of workers in some states.
var hurdles = map[string]*starting.Hurdle{
	"crashes": {Lasts: true}, "forgood": {Lasts: true}, "fornow": {}, "inpart": {Lasts: true, Partly: true},
}

func team(t *testing.T, words []string) (all starting.Team) {
	t.Helper()
	for _, word := range words {
		switch made, state, isWorker := strings.Cut(word, ":"); {
		case isWorker:
			all.Workers = append(all.Workers, starting.Worker{
				Made: now.Add(scenario.Span(t, made)), Pending: state != "runs" && state != "crashes", Hurdle: hurdles[state],
			})
		case word == "together":
			all.Together = true
		case word == "idle":
			all.Idle = true
		default:
			all.Moved = now.Add(scenario.Span(t, strings.TrimPrefix(word, "moved=")))
		}
	}
	return all
}

func crash(t *testing.T, words []string) starting.Crash {
	t.Helper()
	c := starting.Crash{Starts: scenario.Number(t, words[0]), Waits: slices.Contains(words, "waits")}
	for _, word := range words {
		if pause, found := strings.CutPrefix(word, "pause="); found {
			c.Pause = scenario.Span(t, pause)
		}
	}
	return c
}

func own(t *testing.T, words []string) starting.Own {
	t.Helper()
	o := starting.Own{Size: scenario.Number(t, words[0]), Within: 2 * time.Minute}
	for _, word := range words[1:] {
		key, value, _ := strings.Cut(word, "=")
		switch key {
		case "holds":
			o.Holds = scenario.Number(t, value)
		case "had":
			o.Had = scenario.Number(t, value)
		case "room":
			o.Room = scenario.Number(t, value)
		case "made":
			o.Made = now.Add(-scenario.Span(t, value))
		default:
			t.Fatalf("what is %q?", word)
		}
	}
	return o
}
