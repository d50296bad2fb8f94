package yield_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/scenario"
	"github.com/takt-dev/takt/elastic/yield"
)

// TestScenarios plays the scenarios in testdata. A line of a scenario is what is seen; what is answered is indented.
// Times are in seconds from now:
//
//	size [held] [started] [applied] [takenback=TIME,…]   others have given a job its size
//	refused [started] [stopped] [maypass] [since=TIME]   Takt may not look after a job
func TestScenarios(t *testing.T) { scenario.Play(t, perform) }

const now = elastic.Seconds(100_000)

func perform(t *testing.T, text string) string {
	t.Helper()
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
		case "size":
			stays := size(t, words[1:]).Stays(now)
			if stays == "" {
				stays = "no: Takt goes on from it"
			}
			fmt.Fprintf(&out, "  stays: %s\n", stays)
		case "refused":
			fmt.Fprintf(&out, "  let run: %t\n", refused(t, words[1:]).LetsRun(now))
		}
	}
	return out.String()
}

func size(t *testing.T, words []string) (s yield.Size) {
	t.Helper()
	s.Held, s.Applied = slices.Contains(words, "held"), slices.Contains(words, "applied")
	s.StartedByOthers = slices.Contains(words, "started")
	for _, word := range words {
		if list, found := strings.CutPrefix(word, "takenback="); found {
			for at := range strings.SplitSeq(list, ",") {
				s.TakenBack = append(s.TakenBack, moment(t, at))
			}
		}
	}
	return s
}

func refused(t *testing.T, words []string) (r yield.Refused) {
	t.Helper()
	r.Stopped, r.MayPass = slices.Contains(words, "stopped"), slices.Contains(words, "maypass")
	r.StartedByOthers = slices.Contains(words, "started")
	for _, word := range words {
		if at, found := strings.CutPrefix(word, "since="); found {
			r.Since = moment(t, at)
		}
	}
	return r
}

func moment(t *testing.T, word string) elastic.Seconds {
	t.Helper()
	n, err := strconv.Atoi(word)
	if err != nil {
		t.Fatal(err)
	}
	return now + elastic.Seconds(n)
}
