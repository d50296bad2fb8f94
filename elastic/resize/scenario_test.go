package resize_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/elastic/scenario"
)

// TestScenarios plays testdata/*.txt. A scenario is a title, which says what is
// promised, and blocks of commands, each followed by ---- and what they print.
// Every scenario is played once more with each write done twice, and every step
// is decided by a fresh process anyway: it sees only what can be written down.
func TestScenarios(t *testing.T) {
	scenario.Play(t, func(t *testing.T, text string) string {
		got := play(t, text, 1)
		if diff := cmp.Diff(got, play(t, got, 2)); diff != "" {
			t.Errorf("writing every step twice makes a difference (-once +twice):\n%s", diff)
		}
		return got
	})
}

func play(t *testing.T, text string, times int) string {
	t.Helper()
	var w *world
	blocks := strings.Split(strings.TrimSpace(text), "\n\n")
	for i, block := range blocks {
		commands, _, found := strings.Cut(block+"\n", "----\n")
		if !found {
			continue
		}
		var printed strings.Builder
		for command := range strings.Lines(commands) {
			word := strings.Fields(command)
			if word[0] == "resize" {
				w = newWorld(parseResize(t, word[1:]), true)
				continue
			}
			printed.WriteString(w.perform(t, word, times))
		}
		if len(w.violations) > 0 {
			t.Errorf("violations: %v", w.violations)
		}
		blocks[i] = commands + "----\n" + strings.TrimSuffix(printed.String(), "\n")
	}
	return strings.Join(blocks, "\n\n") + "\n"
}

// parseResize reads: 2 to 4 Live DeadlineRisk [acceptable 3 [sizes 3,4]]
func parseResize(t *testing.T, word []string) resize.Record {
	t.Helper()
	r := resize.Record{Epoch: 7}
	if _, err := fmt.Sscan(strings.Join(word[:5], " "), &r.From, new(string), &r.To, &r.Mode, &r.Why); err != nil {
		t.Fatalf("resize %v: %v", word, err)
	}
	if len(word) >= 7 {
		r.Acceptable = resize.Workers(scenario.Number(t, word[6]))
	}
	if len(word) == 9 {
		for size := range strings.SplitSeq(word[8], ",") {
			r.Sizes = append(r.Sizes, resize.Workers(scenario.Number(t, size)))
		}
	}
	return r
}

// run takes steps until there is nothing to do for the moment.
func (w *world) run(t *testing.T, most, times int) string {
	t.Helper()
	var printed strings.Builder
	for range most {
		o := w.observe(t)
		s := resize.Next(o)
		if diff := cmp.Diff(w.observe(t), o); diff != "" {
			t.Errorf("Next has changed what was observed:\n%s", diff)
		}
		fmt.Fprintf(&printed, "%-6s %s\n       %s: %s\n", w.Now.Sub(dawn), headline(s), s.Reason, s.Message)
		if s.Do == resize.Wait || s.Do == resize.Over {
			return printed.String()
		}
		if w.refused && s.Do != resize.AddCondition {
			if s = w.refuse(o, s); s.Do == "" {
				return printed.String()
			}
			fmt.Fprintf(&printed, "%-6s %s\n       %s: %s\n", w.Now.Sub(dawn), headline(s), s.Reason, s.Message)
		}
		for range times {
			w.carryOut(s)
		}
	}
	if most > 1 {
		t.Errorf("%d steps at one moment:\n%s", most, &printed)
	}
	return printed.String()
}

// refuse refuses a step, and gives the one that is taken instead; the zero value is to try again later.
func (w *world) refuse(o resize.Observed, s resize.Step) resize.Step {
	if w.refusedAt.IsZero() {
		w.refusedAt = w.Now
	}
	end, _ := resize.GiveUp(o, s, resize.Refusal{Since: w.refusedAt, Says: "Nobody changes it."})
	return end
}

func headline(s resize.Step) string {
	text := string(s.Do)
	switch s.Do { //nolint:exhaustive // the others say nothing more
	case resize.AskJob:
		text += fmt.Sprintf(" %d", s.Ask.Workers)
		if s.Ask.Suspended {
			text += " suspended"
		}
	case resize.AddCondition:
		text += " " + string(s.Condition)
		if !s.Since.IsZero() {
			text += " since " + s.Since.Sub(dawn).String()
		}
		if s.Cost.Measured {
			text += fmt.Sprintf(" (pause %s, lost %s)", s.Cost.Pause, s.Cost.Lost)
		} else if s.Cost.Pause > 0 || s.Cost.Lost > 0 {
			text += fmt.Sprintf(" (at least: pause %s, lost %s)", s.Cost.Pause, s.Cost.Lost)
		}
	case resize.Wait:
		text += " until " + s.Until.Sub(dawn).String()
	}
	for _, p := range s.Pods {
		text += fmt.Sprintf(" %d", p)
	}
	return text
}
