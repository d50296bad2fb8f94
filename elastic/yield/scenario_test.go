package yield_test

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/scenario"
	"github.com/takt-dev/takt/elastic/yield"
)

// TestScenarios plays the scenarios in testdata. A line of a scenario is what is seen; what is answered is indented.
// Times are in seconds from now:
//
//	size [of=JOB] [held] [started] [applied] [takenback=TIME,…]      others have given a job its size
//	refused [of=JOB] [started] [stopped] [reason=] [since=TIME]      Takt may not look after a job
//	yields                                                           to whom of these, and is all forgotten
func TestScenarios(t *testing.T) { scenario.Play(t, perform) }

const now = elastic.Seconds(100_000)

func perform(t *testing.T, text string) string {
	t.Helper()
	seen := yield.Seen{Sizes: map[string]yield.Size{}, Refused: map[string]yield.Refused{}}
	return scenario.Answer(text, func(out *bytes.Buffer, words []string) {
		switch words[0] {
		case "size":
			if s, job := size(t, words[1:]), option(words, "of"); job != "" {
				seen.Sizes[job] = s
			} else {
				fmt.Fprintf(out, "  stays: %s\n", cmp.Or(s.Stays(now), "no: Takt goes on from it"))
			}
		case "stop":
			fmt.Fprintf(out, "  stays suspended: %t\n", stop(t, words[1:]).Means(now))
		case "refused":
			if r, job := refused(t, words[1:]), option(words, "of"); job != "" {
				seen.Refused[job] = r
			} else {
				fmt.Fprintf(out, "  let run: %t\n", r.LetsRun(now))
			}
		case "yields":
			for _, y := range seen.Yields(now) {
				fmt.Fprintf(out, "  %s: stays: %q, let run: %t\n", y.Job, y.Stays, y.LetRun)
			}
			clear(seen.Sizes)
			clear(seen.Refused)
		}
	})
}

func size(t *testing.T, words []string) (s yield.Size) {
	t.Helper()
	s.Held, s.Applied = slices.Contains(words, "held"), slices.Contains(words, "applied")
	s.StartedByOthers, s.TakenBack = slices.Contains(words, "started"), takenBack(t, words)
	return s
}

func stop(t *testing.T, words []string) yield.Stop {
	t.Helper()
	return yield.Stop{Submitted: slices.Contains(words, "submitted"), Applied: slices.Contains(words, "applied"),
		TakenBack: takenBack(t, words)}
}

func takenBack(t *testing.T, words []string) (times []elastic.Seconds) {
	t.Helper()
	if list := option(words, "takenback"); list != "" {
		for at := range strings.SplitSeq(list, ",") {
			times = append(times, moment(t, at))
		}
	}
	return times
}

func refused(t *testing.T, words []string) (r yield.Refused) {
	t.Helper()
	r.Stopped, r.StartedByOthers = slices.Contains(words, "stopped"), slices.Contains(words, "started")
	r.Reason = option(words, "reason")
	if at := option(words, "since"); at != "" {
		r.Since = moment(t, at)
	}
	return r
}

// option is the value of the word that begins with a key; empty if there is none.
func option(words []string, key string) string {
	for _, word := range words {
		if value, found := strings.CutPrefix(word, key+"="); found {
			return value
		}
	}
	return ""
}

func moment(t *testing.T, word string) elastic.Seconds {
	t.Helper()
	return now + elastic.Seconds(scenario.Number(t, word))
}
