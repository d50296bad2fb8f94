package results

import (
	"os"
	"path/filepath"
	"testing"
)

func TestATableTakesThePlaceOfWhatItMeasures(t *testing.T) {
	file := filepath.Join(t.TempDir(), "page.md")
	const before = `# Page

## Other

| a | b |
|---|---|
| one | 0 |

## Numbers

Said by hand.

| who | amount | on |
|---|---|---|
| one | 1 | then |
| one | 2 | then |
| two | 3 | then |

What follows.
`
	if err := os.WriteFile(file, []byte(before), 0o600); err != nil {
		t.Fatal(err)
	}
	numbers := NewTable("Numbers", "who", "much")
	numbers.rows = []string{"| one | 4 | now |"}
	for range 2 { // the second time, there is nothing to change
		if err := Publish(file, numbers, NewTable("Other", "a")); err != nil {
			t.Fatal(err)
		}
		const want = `# Page

## Other

| a | b |
|---|---|
| one | 0 |

## Numbers

Said by hand.

| who | much | on |
|---|---|---|
| two | 3 | then |
| one | 4 | now |

What follows.
`
		if got, err := os.ReadFile(file); err != nil || string(got) != want {
			t.Fatalf("the page is\n%s (%v)\nwant\n%s", got, err, want)
		}
	}
	file = filepath.Join(t.TempDir(), "new.md")
	for range 2 {
		others := NewTable("Other", "a")
		others.rows = []string{"| two | now |"}
		if err := Publish(file, numbers, others); err != nil {
			t.Fatal(err)
		}
		const want = "## Numbers\n\n| who | much | on |\n|---|---|---|\n| one | 4 | now |\n" +
			"\n## Other\n\n| a | on |\n|---|---|\n| two | now |\n"
		if got, err := os.ReadFile(file); err != nil || string(got) != want {
			t.Fatalf("a page that is new is\n%s (%v)\nwant\n%s", got, err, want)
		}
	}
}
