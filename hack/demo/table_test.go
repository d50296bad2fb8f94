package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

var rewrite = flag.Bool("rewrite", false, "write what is drawn into testdata")

// drawn is everything that is drawn of the example.
func drawn(c canvas) []string {
	s := example()
	var lines []string
	for _, item := range news(scene{}, s) {
		lines = append(lines, c.told(item)...)
	}
	lines = append(lines, c.table(s)...)
	return append(lines, c.summary(s, told{"llama": at(12)})...)
}

func TestWhatIsDrawnFitsTheWidth(t *testing.T) {
	for _, width := range []int{79, 119} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			lines := drawn(canvas{width: width})
			for _, line := range lines {
				if utf8.RuneCountInString(line) > width {
					t.Errorf("a line is longer than %d: %q", width, line)
				}
			}
			file := filepath.Join("testdata", fmt.Sprintf("width-%d.txt", width))
			got := strings.Join(lines, "\n") + "\n"
			if *rewrite {
				if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("(-want +got), go test ./hack/demo -rewrite accepts it:\n%s", diff)
			}
		})
	}
}

var colours = regexp.MustCompile("\x1b\\[[0-9;]*m")

func TestColourChangesNothingElse(t *testing.T) {
	plain, coloured := drawn(canvas{width: 79}), drawn(canvas{width: 79, colour: true})
	painted := 0
	for i, line := range coloured {
		if bare := colours.ReplaceAllString(line, ""); bare != plain[i] {
			t.Errorf("without its colours it is %q, want %q", bare, plain[i])
		} else if bare != line {
			painted++
		}
	}
	// OnTrack, Met and Infeasible, in the news and in the table.
	if painted != 6 {
		t.Errorf("%d lines have colours, want 6", painted)
	}
}
