package sentences_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"
)

// ruled is the message of a rule beside a field.
var ruled = regexp.MustCompile(`XValidation:.*,message=("(?:[^"\\]|\\.)*")`)

// refusals are what the API server says by the rules of the types.
func refusals(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "api/*/*_types.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no types: %v", err)
	}
	var all []string
	for _, file := range append(files, filepath.Join(root, "api/v1alpha1/values.go")) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range ruled.FindAllStringSubmatch(string(text), -1) {
			message, err := strconv.Unquote(found[1])
			if err != nil {
				t.Errorf("%s: %s: %v", file, found[1], err)
			}
			all = append(all, message)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
