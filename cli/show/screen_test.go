package show

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTheTableIsDrawnInItsPlace(t *testing.T) {
	show := func(live bool) []string {
		var to strings.Builder
		s := &Screen{to: &to, fd: -1, live: live}
		s.Say("begin")
		s.Show([]string{"one"}, []string{"table", "at first"})
		s.Show(nil, []string{"table", "later", "and longer"})
		s.Show([]string{"two", "three"}, []string{"table", "shorter"})
		s.Keep([]string{"table", "at last"})
		s.Say("end")
		return shown(t, to.String())
	}
	want := []string{"begin", "one", "two", "three", "table", "at last", "end", ""}
	if diff := cmp.Diff(want, show(true)); diff != "" {
		t.Errorf("on a terminal (-want +got):\n%s", diff)
	}
	want = []string{"begin", "one", "two", "three", "end", ""}
	if diff := cmp.Diff(want, show(false)); diff != "" {
		t.Errorf("elsewhere (-want +got):\n%s", diff)
	}
}

// shown is what a terminal shows of an output.
func shown(t *testing.T, output string) []string {
	t.Helper()
	lines, row := []string{""}, 0
	for _, token := range regexp.MustCompile("\x1b\\[[0-9]*[A-Z]|[\n\r]|[^\n\r\x1b]+").FindAllString(output, -1) {
		switch {
		case token == "\n":
			if row++; row == len(lines) {
				lines = append(lines, "")
			}
		case token == "\r":
		case token == "\x1b[J":
			lines = append(lines[:row:row], "")
		case strings.HasSuffix(token, "A"):
			up, err := strconv.Atoi(strings.Trim(token, "\x1b[A"))
			if err != nil || up > row {
				t.Fatalf("the cursor cannot go where %q says", token)
			}
			row -= up
		default:
			lines[row] += token
		}
	}
	return lines
}
