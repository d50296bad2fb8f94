package printed

import (
	"fmt"
	"slices"
	"testing"
)

func TestLeadIsThePlainBeginningOfAPattern(t *testing.T) {
	for pattern, want := range map[string]lead{
		`^iter <whole>: loss`: {'i', 't', 'e', 'r', someSpace, someSpace, someDigits, ':', someSpace, 'l', 'o',
			's', 's'},
		`^\[<epoch> \] ?\[`:      {'[', someSpace, someDigits, someSpace, ']', someSpace, '['},
		`^epochs?\b`:             {'e', 'p', 'o', 'c', 'h'},
		`^\{'[^{}]*'epoch'`:      {'{', '\''},
		`^(?:[^|:\[]*: )?<step>`: nil,
		`^<epoch><batch>/`:       {someSpace, someDigits}, // 12 may be 1 and 2
		`^<epoch> <batch>/`:      {someSpace, someDigits},
		`^<epoch>.`:              {someSpace, someDigits},
		`^step=<whole>\.5`:       {'s', 't', 'e', 'p', '=', someSpace, someDigits},
		`^train: <epoch> \[<batch> (?:x`: {'t', 'r', 'a', 'i', 'n', ':', someSpace, someSpace, someDigits, someSpace, '[',
			someSpace, someDigits},
	} {
		got := leadOf(pattern)
		if !slices.Equal(got, want) {
			t.Errorf("the lead of %s is %v, want %v", pattern, got, want)
		}
	}
}

// allForms are those of all tables of the grammar.
func allForms() []form { return slices.Concat(lines, labels, words, plainCounts, processes, numbered) }

func TestLeadsSayThatMostPlacesAreNone(t *testing.T) {
	const text = "epoch 3/10: step 420/1000 loss 0.12345 lr 0.0001 throughput 123.4 samples/s"
	var fit []string
	for _, f := range lines {
		if f.from == "epoch" && f.lead.mayFit(text) {
			fit = append(fit, f.name)
		}
	}
	if want := []string{"Lightning, drawn by Rich"}; !slices.Equal(fit, want) {
		t.Errorf("%q may fit, want %q", fit, want)
	}
}

// Wherever a pattern fits, its lead does.
func TestStoryLeadsFitTheExamples(t *testing.T) {
	for _, form := range allForms() {
		for _, example := range form.examples {
			leadsFit(t, example.line)
		}
	}
}

func FuzzLead(f *testing.F) {
	f.Add("[ 3 / 25 ] \t[45.5/782]\tloss")
	f.Add("epoch 3.5.")
	f.Fuzz(leadsFit)
}

func leadsFit(t *testing.T, line string) {
	text, _, _ := plain([]byte(line), nil)
	text = text[:min(len(text), 1<<10)]
	for _, form := range allForms() {
		for start := range text {
			rest := string(text[start:])
			if !form.lead.mayFit(rest) && form.pattern().MatchString(rest) {
				t.Errorf("%s fits %q, and its lead does not", fmt.Sprint(form.name), rest)
			}
		}
	}
}
