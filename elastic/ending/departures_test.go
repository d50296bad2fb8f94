package ending_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/takt-dev/takt/elastic/ending"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/elastic/scenario"
)

// tell notes what may have had workers of a job leave.
func tell(t *testing.T, d *ending.Departures, words []string) {
	t.Helper()
	switch words[0] {
	case "of":
		*d = of(t, words[1:])
	case "resize":
		d.Resizes = append(d.Resizes, record(t, words[1:]))
	case "scaled":
		d.Scaled = &ending.Scaled{From: workers(t, words[1]), To: workers(t, words[2])}
		if len(words) > 3 {
			d.Scaled.At = moment(t, words[3])
		}
	case "leaver":
		d.Leaver = moment(t, words[1])
	}
}

func of(t *testing.T, words []string) ending.Departures {
	t.Helper()
	has := func(word string) bool { return slices.Contains(words, word) }
	d := ending.Departures{
		Ended: ended, Size: workers(t, words[0]), EndsByLeaver: has("endsbyleaver"), PodsStay: has("podsstay"),
		Suspended: has("suspended"),
	}
	for _, word := range words {
		switch key, value, _ := strings.Cut(word, "="); key {
		case "asked":
			parts := strings.Split(value, ":")
			d.Asked = resize.Ask{
				Epoch: resize.Epoch(workers(t, parts[0])), Stage: resize.Stage(parts[1]), Suspended: len(parts) > 2,
			}
		case "grace":
			d.Grace = moment(t, value).Sub(ended)
		}
	}
	return d
}

func record(t *testing.T, words []string) resize.Record {
	t.Helper()
	r := resize.Record{
		Epoch: resize.Epoch(workers(t, words[0])), From: workers(t, words[1]), To: workers(t, words[2]), Mode: resize.Live,
	}
	for _, word := range words[3:] {
		if made, found := strings.CutPrefix(word, "made="); found {
			r.CreatedAt = moment(t, made)
		} else if line, at, found := strings.Cut(word, "@"); found {
			kind, reason, _ := strings.Cut(line, ":")
			r.Conditions = append(r.Conditions, resize.Condition{
				Type: resize.ConditionType(kind), Reason: resize.Reason(reason), At: moment(t, at),
			})
		} else {
			r.Mode = resize.Mode(word)
		}
	}
	return r
}

func leaving(d ending.Departures) string {
	l := d.AtTheEnd()
	if l == nil {
		return "  nobody\n"
	}
	since := "since nobody knows when"
	if !l.Since.IsZero() {
		since = "since " + l.Since.Sub(ended).String()
	}
	by := string(l.By)
	if l.By == ending.ByHand {
		by += fmt.Sprintf(" that left %d", l.To)
	}
	return fmt.Sprintf("  some of %d, by %s, %s; soon: %t\n", l.Workers, by, since, l.Soon)
}

func workers(t *testing.T, word string) resize.Workers {
	t.Helper()
	return resize.Workers(scenario.Number(t, word))
}
