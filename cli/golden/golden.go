package golden

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var rewrite = flag.Bool("rewrite", false, "write what is printed into testdata")

// Equal fails the test if a text is not as it is written in testdata/NAME.txt.
func Equal(t testing.TB, name, got string) {
	t.Helper()
	File(t, filepath.Join("testdata", name+".txt"), got)
}

// File is Equal for any file.
func File(t testing.TB, file, got string) {
	t.Helper()
	if *rewrite {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil { //nolint:gosec // a file of the repository
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (go test -rewrite writes it)", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("it is not as in %s, -want +got:\n%s", file, diff)
	}
}
