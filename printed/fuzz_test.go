package printed

import (
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// examples are those of all forms.
func examples() []example {
	var found []example
	for _, forms := range [][]form{lines, labels, words, plainCounts, processes, numbered} {
		for _, f := range forms {
			found = append(found, f.examples...)
		}
	}
	for _, more := range [][]example{bars, saves, objects, planned} {
		found = append(found, more...)
	}
	return found
}

// Whatever comes, a reading can be calculated with, and is the same however the output is cut.
func FuzzReader(f *testing.F) {
	previous := "Epoch 3/10"
	for _, e := range examples() {
		f.Add([]byte(previous+"\n"+e.line+"\r"+e.line+"\n"), 0.0, 0.0, 3)
		f.Add([]byte(e.line+"\n"+e.line+"\n"), 1000.0, 10.0, 100)
		previous = e.line
	}
	recorded, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range recorded {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text, 0.0, 0.0, 1000)
	}
	f.Fuzz(func(t *testing.T, text []byte, total, steps float64, length int) {
		if length <= 0 || !(total >= 0 && total <= maxCount && steps >= 0 && steps <= maxCount) {
			return
		}
		given := Given{Total: total, Work: Work{Steps: steps}}
		var whole, cut, again Reader
		whole.Know(given)
		whole.Write(text, noon)
		cut.Know(given)
		for i := 0; i < len(text); i += length {
			cut.Write(text[i:min(i+length, len(text))], noon)
		}
		if a, b := whole.Reading(), cut.Reading(); a != b {
			t.Errorf("%q is read as %+v, and in pieces of %d as %+v", text, a, length, b)
		}
		// What began elsewhere and was read in between, in both units, must be as sound.
		again.Know(Given{Work: Work{Epochs: steps}, Either: true})
		for _, part := range [][]byte{text[len(text)/2:], text} {
			again.Write(part, time.Time{})
			again.Missed()
			sound(t, again.Reading())
		}
		sound(t, whole.Reading())
		if known := whole.Reading(); total > 0 && known.Known() && known.Total != total {
			t.Errorf("%q up to %g counts up to %g", text, total, known.Total)
		}
		if held := cap(cut.split.rest); held > 2*maxPiece {
			t.Errorf("%d bytes are held", held)
		}
	})
}

func sound(t *testing.T, r Reading) {
	t.Helper()
	for _, number := range []float64{r.Done, r.Total, r.Epochs.Done, r.Epochs.Total, r.Step.Done, r.Step.Total} {
		if math.IsNaN(number) || math.IsInf(number, 0) || number < 0 || number > 2*maxCount {
			t.Errorf("%+v holds %g", r, number)
		}
	}
	if r.Known() && r.Done > r.Total || r.Known() && r.Doubt != "" || r.Unit == "" && r.Done+r.Total > 0 {
		t.Errorf("%+v cannot be", r)
	}
}
