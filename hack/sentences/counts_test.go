package sentences_test

import (
	"path/filepath"
	"regexp"
	"testing"
)

const (
	many    = `(workers|GPUs|CPUs|pods|nodes|times|jobs|runs|lines|deadlines|pauses|policies|replicas|units|points|keys|minutes|hours|days)\b`
	between = `((new|more|other|others|earlier|different|free|of the) )?`
)

// TestScenariosCountAsPeopleDo looks for one of what are many, in all that the scenarios print.
func TestScenariosCountAsPeopleDo(t *testing.T) {
	wrong := regexp.MustCompile(`(^|[ ("])1 ` + between + many)
	for _, folder := range []string{"elastic", "elastic/resize"} {
		for line := range lines(t, folder) {
			if found := wrong.FindString(line); found != "" {
				t.Errorf("%s: %q in %q", folder, found, line)
			}
		}
	}
}

// TestNumbersGoWithTheirNouns looks for a number in front of a noun that does not go with one of it. All that
// counts says so by elastic.CountOf, or has the number behind the noun.
func TestNumbersGoWithTheirNouns(t *testing.T) {
	wrong := regexp.MustCompile(`%(\[\d\])?d ` + between + many)
	for _, folder := range []string{
		"elastic", "elastic/*", "operator", "operator/*", "scheduler/*", "cmd/*", "simulator", "simulator/*", "localcluster",
		"hack/demo",
	} {
		files, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			relative, _ := filepath.Rel(root, file)
			if isTest(relative) {
				continue
			}
			for _, s := range formatsIn(t, file, true) {
				if found := wrong.FindString(s); found != "" {
					t.Errorf("%s: %q in %q", relative, found, s)
				}
			}
		}
	}
}
