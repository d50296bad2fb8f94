package ending_test

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/takt-dev/takt/elastic/ending"
	"github.com/takt-dev/takt/elastic/scenario"
)

// TestScenarios plays the scenarios in testdata. A line of a scenario is what is seen of the end of a job; what is
// answered is indented. Moments are spans of time after that end:
//
//	job [leaving=SINCE[:soon]] [seen=] [said=] [read=MOMENT:DONE] [rate=SHARE] [began=] [earliest=] [expected=]
//	awaits MOMENT…            is then waited for what the last of these has said last?
//
// Others are what may have had workers leave, and who of these were about to:
//
//	of SIZE [endsbyleaver] [podsstay] [suspended] [asked=EPOCH:STAGE[:suspended]] [grace=]      a job
//	resize EPOCH FROM TO [MODE] [made=] [LINE[:REASON]@MOMENT]…
//	scaled FROM TO [MOMENT]
//	leaver MOMENT
//	leaving                   who was, and all is forgotten
//
// Shares of the work are in percent, and a rate is one in a second.
func TestScenarios(t *testing.T) {
	scenario.Play(t, func(t *testing.T, text string) string {
		var last ending.Seen
		var told ending.Departures
		return scenario.Answer(text, func(out *bytes.Buffer, words []string) {
			switch words[0] {
			case "job":
				last = job(t, words[1:])
				fmt.Fprintf(out, "  cut short: %t\n", last.CutShort())
			case "leaving":
				out.WriteString(leaving(told))
				told = ending.Departures{}
			case "of", "resize", "scaled", "leaver":
				tell(t, &told, words)
			case "awaits":
				for _, word := range words[1:] {
					fmt.Fprintf(out, "  at %s it awaits its last word: %t\n", word, last.AwaitsLastWord(moment(t, word)))
				}
			}
		})
	})
}

// ended is when each job ends.
var ended = time.Date(2026, 11, 21, 18, 0, 0, 0, time.UTC)

func job(t *testing.T, words []string) ending.Seen {
	t.Helper()
	s := ending.Seen{At: ended}
	for _, word := range words {
		key, value, _ := strings.Cut(word, "=")
		first, second, _ := strings.Cut(value, ":")
		switch key {
		case "leaving":
			s.Leaving = &ending.Leaving{Soon: second == "soon"}
			if first != "" {
				s.Leaving.Since = moment(t, first)
			}
		case "seen":
			s.SeenAt = moment(t, value)
		case "said":
			s.Said = ending.Said(value)
		case "read":
			if s.Done = share(t, second); first != "" {
				s.Read = moment(t, first)
			}
		case "rate":
			s.Rate = share(t, value)
		case "began":
			s.Began = moment(t, value)
		case "earliest":
			s.Earliest = moment(t, value)
		case "expected":
			s.Expected = moment(t, value)
		default:
			t.Fatalf("what is %s?", word)
		}
	}
	return s
}

func moment(t *testing.T, word string) time.Time {
	t.Helper()
	return ended.Add(scenario.Span(t, word))
}

func share(t *testing.T, word string) float64 {
	t.Helper()
	percent, err := strconv.ParseFloat(strings.TrimSuffix(word, "%"), 64)
	if err != nil {
		t.Fatal(err)
	}
	return percent / 100
}
