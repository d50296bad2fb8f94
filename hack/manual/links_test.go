package manual

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	link     = regexp.MustCompile(`\]\(([^):#]*)(?:#([^)]*))?\)`)
	headings = regexp.MustCompile(`(?m)^#+ (.*)$`)
	code     = regexp.MustCompile("(?ms)^ *```.*?^ *```$|`[^`]*`")
	fenced   = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	unlinked = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// Each link from one document to another, or to a part of one, leads there.
func TestLinksLeadSomewhere(t *testing.T) {
	texts, parts := map[string]string{}, map[string]map[string]bool{}
	for _, p := range collect(t) {
		if texts[p.File] != "" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(repository, p.File))
		if err != nil {
			t.Fatal(err)
		}
		texts[p.File], parts[p.File] = string(text), map[string]bool{}
		for _, heading := range headings.FindAllStringSubmatch(fenced.ReplaceAllString(string(text), ""), -1) {
			parts[p.File][anchor(heading[1])] = true
		}
	}
	for file, text := range texts {
		for _, found := range link.FindAllStringSubmatch(code.ReplaceAllString(text, ""), -1) {
			to := file
			if found[1] != "" {
				to = path.Join(path.Dir(file), found[1])
			}
			if _, err := os.Stat(filepath.Join(repository, to)); err != nil {
				t.Errorf("%s: %v", file, err)
			}
			if known := parts[to]; known != nil && found[2] != "" && !known[found[2]] {
				t.Errorf("%s: %s has no part #%s", file, to, found[2])
			}
		}
	}
}

// anchor is by what a heading is linked to.
func anchor(heading string) string {
	return strings.ReplaceAll(unlinked.ReplaceAllString(strings.ToLower(heading), ""), " ", "-")
}
