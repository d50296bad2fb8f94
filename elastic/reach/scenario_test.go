package reach_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/takt-dev/takt/elastic/reach"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/elastic/scenario"
)

// TestScenarios plays the scenarios in testdata. A line of a scenario is what is said of the sizes of a job; what is
// answered is indented:
//
//	job SIZE own=LEAST-MOST [seen=LEAST-MOST] [resized] [kept=] [fewest=] [together=]
//	         [min=] [max=] [sizes=N,N…] [multiple=] [started=LEAST-MOST] [bound]
func TestScenarios(t *testing.T) {
	scenario.Play(t, func(t *testing.T, text string) string {
		return scenario.Answer(text, func(out *bytes.Buffer, words []string) { answer(out, job(t, words[1:])) })
	})
}

func answer(out *bytes.Buffer, j reach.Job) {
	may := j.Range()
	if may.Least > may.Most {
		fmt.Fprint(out, "  none")
	} else {
		fmt.Fprintf(out, "  %d to %d", may.Least, may.Most)
		if sizes := j.Candidates(may, j.Size); len(sizes) < 10 {
			fmt.Fprintf(out, ": %v", sizes)
		}
	}
	if j.OutOfReach() {
		fmt.Fprint(out, ", by a restart")
	}
	if most := j.Beyond(); most > 0 {
		fmt.Fprintf(out, ", and up to %d is beyond its workers", most)
	}
	fmt.Fprintln(out)
}

func job(t *testing.T, words []string) (j reach.Job) {
	t.Helper()
	j.Size, j.Fewest = number(t, words[0]), 1
	for _, word := range words[1:] {
		switch key, value, _ := strings.Cut(word, "="); key {
		case "own":
			j.Own = span(t, value)
		case "seen":
			j.Seen = span(t, value)
		case "started":
			j.Started = span(t, value)
		case "resized":
			j.Resized = true
		case "bound":
			j.Bound = true
		case "sizes":
			for n := range strings.SplitSeq(value, ",") {
				j.Asked.Sizes = append(j.Asked.Sizes, number(t, n))
			}
		case "min":
			j.Asked.Least = new(number(t, value))
		case "max":
			j.Asked.Most = new(number(t, value))
		default:
			*map[string]*resize.Workers{
				"kept": &j.Kept, "fewest": &j.Fewest, "together": &j.Together, "multiple": &j.Asked.MultipleOf,
			}[key] = number(t, value)
		}
	}
	return j
}

func span(t *testing.T, word string) reach.Range {
	t.Helper()
	least, most, _ := strings.Cut(word, "-")
	return reach.Range{Least: number(t, least), Most: number(t, most)}
}

func number(t *testing.T, word string) resize.Workers {
	t.Helper()
	return resize.Workers(scenario.Number(t, word))
}
