package podinfo

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestAnnotationsAreReadAsTheKubeletWritesThem(t *testing.T) {
	for name, test := range map[string]struct {
		text  string
		want  Annotations
		wrong string
	}{
		"none": {"", Annotations{}, ""},
		"some": {"takt.dev/let-in=\"3\"\ntakt.dev/save=\"1795543200123\"", Annotations{"takt.dev/let-in": "3",
			"takt.dev/save": "1795543200123"}, ""},
		"lines within":   {`a="one\ntwo=\"2\""` + "\nb=\"\"\n", Annotations{"a": "one\ntwo=\"2\"", "b": ""}, ""},
		"rubbish beside": {"a=\"1\"\nwhat is this\nb=\"2\"\n", Annotations{"a": "1", "b": "2"}, "what is this"},
		"not quoted":     {"a=1\n", Annotations{}, "a=1"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Parse(test.text)
			if !maps.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
			if (err != nil) != (test.wrong != "") || err != nil && !strings.Contains(err.Error(), test.wrong) {
				t.Errorf("got the error %v, want one of %q", err, test.wrong)
			}
		})
	}
}

// The kubelet swaps a link to the folder in which the new file is.
func TestANewVersionOfTheFileIsSeen(t *testing.T) {
	folder := t.TempDir()
	at := time.Now()
	swap := func(version, text string) {
		t.Helper()
		if err := os.Mkdir(filepath.Join(folder, version), 0o700); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(folder, version, "annotations")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		// The same moment and the same length: only the file itself tells that it is another.
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(version, filepath.Join(folder, "new")); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(filepath.Join(folder, "new"), filepath.Join(folder, "annotations.d")); err != nil {
			t.Fatal(err)
		}
	}
	file := NewFile(filepath.Join(folder, "annotations.d", "annotations"))
	if got, err := file.Now(); err == nil || got != nil {
		t.Errorf("a file that is not there says %q (%v)", got, err)
	}
	for i, want := range []string{"1", "2"} {
		swap(fmt.Sprint("..", i), "takt.dev/let-in=\""+want+"\"\n")
		if got, err := file.Now(); err != nil || got["takt.dev/let-in"] != want {
			t.Errorf("got %q (%v), want %s", got, err, want)
		}
	}
	if err := os.Remove(filepath.Join(folder, "annotations.d")); err != nil {
		t.Fatal(err)
	}
	if got, err := file.Now(); err == nil || got["takt.dev/let-in"] != "2" {
		t.Errorf("once the file is gone it says %q (%v), want what it said last, and that it is gone", got, err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("a=\"1\"\n")
	f.Add("a=\"\\x\"\n=\n")
	f.Fuzz(func(t *testing.T, text string) {
		got, _ := Parse(text)
		var again strings.Builder
		for key, value := range got {
			fmt.Fprintf(&again, "%s=%q\n", key, value)
		}
		if back, err := Parse(again.String()); err != nil || !maps.Equal(got, back) {
			t.Errorf("%q is read as %q, and written and read again as %q (%v)", text, got, back, err)
		}
	})
}
