package show

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/takt-dev/takt/cli/usage"
)

func TestElapsed(t *testing.T) {
	for seconds, want := range map[float64]string{
		0: "0s", 59: "59s", 60: "1m", 3600: "1h", 12000: "3h20m", 86400: "1d", 446400: "5d4h", 1036800: "12d", -300: "-5m",
		1e30: "694444444d",
	} {
		if got := Elapsed(seconds); got != want {
			t.Errorf("%g seconds are written as %s, want %s", seconds, got, want)
		}
	}
}

// broken is where nothing can be written.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// Whoever writes into a full disk is told what to do, and so is who asks for what a form cannot hold.
func TestAnswersThatCannotBeGivenSaySo(t *testing.T) {
	for _, form := range []string{usage.AsJSON, usage.AsYAML} {
		const full = "the answer cannot be written: no space left on device. Have the output go elsewhere"
		if done, err := Structured(broken{}, form, 1); !done || err == nil || err.Error() != full {
			t.Errorf("as %s it says %v, want %s", form, err, full)
		}
		done, err := Structured(&strings.Builder{}, form, math.NaN())
		if !done || err == nil || !strings.HasSuffix(err.Error(), ". Choose another with -o") {
			t.Errorf("of no number as %s it says %v", form, err)
		}
	}
}

func TestWrapped(t *testing.T) {
	if got, want := Wrapped("one two  three\nunbreakable", "  ", 9), "  one two\n  three\n  unbreakable"; got != want {
		t.Errorf("it is wrapped as %q, want %q", got, want)
	}
}

func TestColumns(t *testing.T) {
	var got strings.Builder
	table := Columns{Text: 1, Heads: [][]string{{"JOB", "", "n"}}, Rows: [][]string{{"é", "12", "3"}, {"longer", "1", ""}}}
	if err := table.Write(&got); err != nil {
		t.Fatal(err)
	}
	if want := "JOB         n\né       12  3\nlonger   1\n"; got.String() != want {
		t.Errorf("it is\n%q, want\n%q", got.String(), want)
	}
}

// What a pod has said must not move the cursor, nor hide what stands beside it.
func TestATerminalObeysNoMessage(t *testing.T) {
	const harm = "all\x1b[2J is\x07 \u202ewell\nso it\u009bis"
	const want = "all[2J is well so itis"
	var got strings.Builder
	if err := (Columns{Text: 1, Rows: [][]string{{harm}}}).Write(&got); err != nil {
		t.Fatal(err)
	}
	if line := strings.TrimSuffix(got.String(), "\n"); line != want {
		t.Errorf("in columns it is %q, want %q", line, want)
	}
	if line := Wrapped(harm, "", 80); line != want {
		t.Errorf("wrapped it is %q, want %q", line, want)
	}
}
