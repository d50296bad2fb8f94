package lint

import (
	"fmt"
	"go/parser"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

const module = "github.com/takt-dev/takt/"

// docs/architecture.md has the rooms of the operator in rows, and draws the same rows. Those who read it go by them, so
// the code does as well: a room imports only rooms of rows below its own.
func TestRoomsOfTheOperatorAreInTheRowsOfTheirTable(t *testing.T) {
	root := filepath.Join("..", "..")
	page, err := os.ReadFile(filepath.Join(root, "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	packages, err := packagesOf(os.DirFS(filepath.Join(root, "operator")), parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	for _, sentence := range outOfRow(string(page), packages) {
		t.Error(sentence)
	}
}

func TestRoomsOutOfTheirRowAreFound(t *testing.T) {
	const page = "```\n above, beside\n below\n```\n\n| | rooms |\n|---|---|\n| up | `above`, `beside` do more |\n" +
		"| down | `below` |\n\n`elsewhere`\n"
	imports := func(room string) string { return fmt.Sprintf("package a\n\nimport _ %q\n", module+"operator/"+room) }
	cases := map[string]struct {
		rooms fstest.MapFS
		want  []string
	}{
		"downwards": {files("above/a.go", imports("below/part"), "beside/a.go", imports("below"),
			"below/a.go", imports("below/part"), "below/part/a.go", "package a\n"), nil},
		"upwards": {files("above/a.go", "package a\n", "beside/a.go", "package a\n", "below/a.go", imports("above")),
			[]string{"operator/below imports operator/above, which is in no row below its own"}},
		"sidewards": {files("above/a.go", imports("beside"), "beside/a.go", "package a\n", "below/a.go", "package a\n"),
			[]string{"operator/above imports operator/beside, which is in no row below its own"}},
		"no room": {files("above/a.go", "package a\n", "beside/a.go", "package a\n"),
			[]string{"there is no operator/below"}},
		"no row": {files("above/a.go", "package a\n", "beside/a.go", "package a\n", "below/a.go", "package a\n",
			"elsewhere/a.go", "package a\n"),
			[]string{"operator/elsewhere is in 0 rows of the table, not in one", "operator/elsewhere is not drawn"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			packages, err := packagesOf(c.rooms, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			if got := outOfRow(page, packages); !slices.Equal(got, c.want) {
				t.Errorf("it is said that %q, want %q", got, c.want)
			}
		})
	}
}

// onlyTests are rooms that nothing but tests has, which the picture leaves out.
var onlyTests = []string{"fixture", "stories", "zoo"}

// outOfRow are sentences on rooms that are not in the rows of the table, and on those that import what they must not.
// The packages are those below operator/.
func outOfRow(page string, packages []parsed) (wrong []string) {
	_, drawn, _ := strings.Cut(page, "```\n")
	drawn, _, _ = strings.Cut(drawn, "\n```")
	_, table, _ := strings.Cut(page, "\n| | rooms |\n|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	rooms := map[string]bool{}
	for _, p := range packages {
		if room, _, _ := strings.Cut(p.folder, "/"); room != "." {
			rooms[room] = true
		}
	}
	rows := map[string][]int{}
	for i, line := range strings.Split(table, "\n") {
		for _, found := range quoted.FindAllStringSubmatch(line, -1) {
			rows[found[1]] = append(rows[found[1]], i)
		}
	}
	for _, room := range slices.Sorted(maps.Keys(rows)) {
		if !rooms[room] {
			wrong = append(wrong, "there is no operator/"+room)
		}
	}
	for _, room := range slices.Sorted(maps.Keys(rooms)) {
		if len(rows[room]) != 1 {
			wrong = append(wrong, fmt.Sprintf("operator/%s is in %d rows of the table, not in one", room, len(rows[room])))
		}
		if !slices.Contains(onlyTests, room) && !regexp.MustCompile(`\b`+room+`\b`).MatchString(drawn) {
			wrong = append(wrong, fmt.Sprintf("operator/%s is not drawn", room))
		}
	}
	for _, p := range packages {
		room, _, _ := strings.Cut(p.folder, "/")
		for _, file := range slices.Sorted(maps.Keys(p.files)) {
			for _, spec := range p.files[file].Imports {
				imported, err := strconv.Unquote(spec.Path.Value)
				of, is := strings.CutPrefix(path.Clean(imported), module+"operator/")
				other, _, _ := strings.Cut(of, "/")
				if err != nil || !is || other == room || len(rows[other]) != 1 || len(rows[room]) != 1 {
					continue
				}
				if rows[other][0] <= rows[room][0] {
					wrong = append(wrong, fmt.Sprintf("operator/%s imports operator/%s, which is in no row below its own",
						room, other))
				}
			}
		}
	}
	return slices.Compact(wrong)
}
