package dlrover

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/takt-dev/takt/agent/known"
)

var now = time.Unix(1795521600, 0)

func TestParse(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want known.Count
		said string // if it is wrong
	}{
		"as DLRover writes it": {`{"step": 420, "timestamp": 1795521500}`, known.Count{Done: 420, Unit: "steps",
			At: now.Add(-100 * time.Second)}, ""},
		"with parts of a second": {`{"step": 420, "timestamp": 1795521500.25, "more": {}}`,
			known.Count{Done: 420, Unit: "steps", At: now.Add(-99750 * time.Millisecond)}, ""},
		"without a time":           {`{"step": 0}`, known.Count{Unit: "steps", At: now}, ""},
		"of a time yet to come":    {`{"step": 1, "timestamp": 9e99}`, known.Count{Done: 1, Unit: "steps", At: now}, ""},
		"half written":             {`{"step": 4`, known.Count{}, "not as DLRover writes it"},
		"without a step":           {`{"timestamp": 1795521500}`, known.Count{}, "tells no step"},
		"a step of less than none": {`{"step": -1}`, known.Count{}, "no number to count with"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Parse([]byte(test.text), now)
			switch {
			case test.said != "":
				if err == nil || !strings.Contains(err.Error(), test.said) {
					t.Errorf("it says %v, want %q", err, test.said)
				}
			case err != nil || !got.At.Equal(test.want.At) || got.Done != test.want.Done || got.Unit != test.want.Unit:
				t.Errorf("got %v (%v), want %v", got, err, test.want)
			}
		})
	}
}

func TestTheFileIsReadWhenItHasChanged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "metrics.json")
	write := func(text string, at time.Time) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	write(`{"step": 9999}`, now.Add(-time.Hour)) // of another training
	file := NewFile(path)
	for _, next := range []struct {
		do   func()
		want float64 // -1 for nothing told
	}{
		{func() {}, -1},
		{func() { write(`{"step": 1}`, now) }, 1},
		{func() {}, -1},
		{func() { write(`{"ste`, now.Add(time.Second)) }, -1},
		{func() { write(`{"step": 2}`, now.Add(time.Second)) }, 2},
		{func() { _ = os.Remove(path) }, -1},
		{func() { write(`{"step": 0}`, now.Add(2*time.Second)) }, 0},
	} {
		next.do()
		count, told, _ := file.Look(now)
		if told != (next.want >= 0) || told && count.Done != next.want {
			t.Errorf("it tells %v (%v), want %v", count.Done, told, next.want)
		}
	}
}

// Whatever is in the file, what is taken for progress can be counted with, and is not of a time to come.
func FuzzParse(f *testing.F) {
	f.Add(`{"step": 420, "timestamp": 1795521500.25}`)
	f.Add(`{"step": 1e400, "timestamp": -1}`)
	f.Add(`{"step": 1, "timestamp": 1e-300}`)
	f.Add(`{"step": null}{"step": 1}`)
	f.Fuzz(func(t *testing.T, text string) {
		count, err := Parse([]byte(text), now)
		if err != nil {
			return
		}
		if err := count.Check(); err != nil {
			t.Errorf("%q is taken for %v: %v", text, count, err)
		}
		if count.At.After(now) || count.At.Before(time.Unix(0, 0)) {
			t.Errorf("%q is of %v, and it is %v", text, count.At, now)
		}
	})
}
