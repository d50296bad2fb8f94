package printed

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// String is what was seen in the words of the examples.
func (s seen) String() string {
	var parts []string
	add := func(what string, c *Count, behind string) {
		if c == nil {
			return
		}
		text := fmt.Sprintf("%s %g", what, c.Done)
		if c.Total > 0 {
			text += fmt.Sprintf("/%g", c.Total)
		}
		parts = append(parts, text+behind)
	}
	behind := ""
	for _, m := range []struct {
		mark mark
		says string
	}{{fromZero, " from 0"}, {fromOne, " from 1"}, {toLast, " to the last"}, {partly, " done"}, {ended, " over"},
		{mayEnd, " maybe over"}} {
		if s.has(m.mark) {
			behind += m.says
		}
	}
	add("epoch", s.epoch, behind)
	add("batch", s.batch, "")
	add("step", s.step, "")
	add("step", s.whole, " of all")
	add("percent", s.share, "")
	for _, is := range []struct {
		is   bool
		says string
	}{{s.bar && s.counts() && !s.nested, "bar"}, {s.bar && s.nested, "bar in another"}, {s.saved, "saved"}} {
		if is.is {
			parts = append(parts, is.says)
		}
	}
	if s.planned.Epochs > 0 {
		parts = append(parts, fmt.Sprintf("%g epochs planned", s.planned.Epochs))
	}
	if s.planned.Steps > 0 {
		parts = append(parts, fmt.Sprintf("%g steps planned", s.planned.Steps))
	}
	if s.planned.ofEpoch > 0 {
		parts = append(parts, fmt.Sprintf("%g steps an epoch planned", s.planned.ofEpoch))
	}
	if s.process != "" && s.counts() {
		parts = append(parts, "by "+s.process)
	}
	return strings.Join(parts, ", ")
}

func see(line string) seen {
	text, at, up := plain([]byte(line), make([]byte, 0, maxPiece))
	return read(string(text), at, up)
}

// Each form reads its own examples: those that it shows as read by it, and the others by nothing like it.
func TestGrammarReadsItsExamples(t *testing.T) {
	for table, forms := range map[string][]form{"lines": lines, "labels": labels, "words": words, "counts": plainCounts,
		"processes": processes, "numbered": numbered} {
		for _, f := range forms {
			if len(f.examples) == 0 {
				t.Errorf("%s in %s has no example", f.name, table)
			}
			own := 0
			for _, example := range f.examples {
				check(t, example)
				if s := see(example.line); s.form == f.name && (s.counts() || f.mark&(aside|barsOfAll) != 0) {
					own++
				}
			}
			if own == 0 && table != "processes" && f.mark&barsOfAll == 0 {
				t.Errorf("%s in %s reads none of its examples", f.name, table)
			}
		}
	}
	for _, examples := range [][]example{bars, saves, objects, planned, percents, units, shortenedCounts} {
		for _, example := range examples {
			check(t, example)
		}
	}
}

func check(t *testing.T, e example) {
	t.Helper()
	if got := see(e.line).String(); got != e.want {
		t.Errorf("%q: %q is read, want %q", e.line, got, e.want)
	}
}

// A line that begins with what a launcher or a logger puts before it is read as it is without.
func TestGrammarOverlooksPrefixes(t *testing.T) {
	for _, prefix := range []string{"[default0]:", "[rank0]: ", "2026-11-24 12:00:00,123 - INFO - ", "INFO:root:",
		"[2026-11-24 12:00:00,123][__main__][INFO] - ", "I1124 12:00:00.123456 140 train.py:33] ",
		"[INFO|trainer.py:1712] 2026-11-24 12:00:00,123 >> ", "\x1b[32mINFO\x1b[0m: "} {
		for line, want := range map[string]string{
			"step 420/1000": "step 420/1000", "Epoch [3/10], Step [420/1000]": "epoch 3/10, step 420/1000",
			"Epoch: [3][ 10/5005]\tTime 1":    "epoch 3 from 0, batch 10/5005",
			"Train Epoch: 1 [640/60000 (1%)]": "epoch 1 from 1, batch 640/60000", "iter 450: loss 2.1": "step 450 of all",
			"Training:  45%|███ | 450/1000 [01:23<01:40, 5.4it/s]": "step 450/1000, bar",
		} {
			if got := strings.TrimSuffix(see(prefix+line).String(), ", by 0"); got != want {
				t.Errorf("%q: %q is read, want %q", prefix+line, got, want)
			}
		}
	}
}

// What ends a form must not be found again and again: each is found in few places only.
func TestFormsThatBeginAlikeStandTogether(t *testing.T) {
	seen := map[string]bool{}
	last := ""
	for _, f := range lines {
		if f.from != last && f.from != "" && seen[f.from] {
			t.Errorf("%s begins with %q, as others do that it does not stand beside", f.name, f.from)
		}
		seen[f.from], last = true, f.from
	}
}

// The table for users names every form that belongs to a framework.
func TestUsersAreToldOfAllForms(t *testing.T) {
	text, err := os.ReadFile("../docs/using.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, forms := range [][]form{lines, labels} {
		for _, f := range forms {
			name, _, _ := strings.Cut(f.name, ", ")
			if f.mark&aside == 0 && name != "epoch before a bar" && !strings.Contains(string(text), name) {
				t.Errorf("docs/using.md does not say that %s is understood", name)
			}
		}
	}
}

// Every form that is made for the examples of the table is read as the table says.
func TestTheTableForUsersIsTrue(t *testing.T) {
	text, err := os.ReadFile("../docs/using.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "### What a log may say")
	table, _, _ = strings.Cut(table, "How many steps")
	shown := 0
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.ReplaceAll(line, `\|`, "\x00"), "|")
		if len(cells) < 4 || !strings.Contains(cells[2], "`") {
			continue
		}
		for i, part := range strings.Split(cells[2], "`") {
			if i%2 == 0 {
				continue
			}
			shown++
			part = strings.NewReplacer("\x00", "|", "…", "1").Replace(part)
			if s := see(part); !s.counts() && s.planned == (Work{}) {
				t.Errorf("%q is not understood", part)
			}
		}
	}
	if shown < 30 {
		t.Errorf("only %d forms are shown", shown)
	}
}
