package manual

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// part is what docs/operations.md has under a heading.
func part(t *testing.T, heading string) string {
	t.Helper()
	_, after, found := strings.Cut(text(t, "docs/operations.md"), "\n## "+heading+"\n")
	if !found {
		t.Fatalf("docs/operations.md has no part %q", heading)
	}
	part, _, _ := strings.Cut(after, "\n## ")
	return part
}

func text(t *testing.T, file string) string {
	t.Helper()
	read, err := os.ReadFile(filepath.Join(repository, file))
	if err != nil {
		t.Fatal(err)
	}
	return string(read)
}

// What people are to look up is what they are told: each sentence that the page quotes is one that Takt says.
func TestSymptomsAreWhatTaktSays(t *testing.T) {
	sentences := text(t, "docs/sentences.md")
	symptoms := regexp.MustCompile("“([^”]+)”").FindAllStringSubmatch(part(t, "Troubleshoot"), -1)
	for _, symptom := range symptoms {
		if !strings.Contains(sentences, symptom[1]) {
			t.Errorf("docs/operations.md quotes %q, which docs/sentences.md has not", symptom[1])
		}
	}
	if len(symptoms) < 5 {
		t.Errorf("only %d symptoms are quoted", len(symptoms))
	}
}

// What people are to tune is a setting of the operator or of the scheduler.
func TestWhatIsToBeTunedIsASetting(t *testing.T) {
	settings := text(t, "config/manager/takt.yaml") + text(t, "config/scheduler/beside/scheduler.yaml")
	named := regexp.MustCompile("`([a-z]+)\\.([a-zA-Z]+)`").FindAllStringSubmatch(part(t, "Tune"), -1)
	for _, name := range named {
		if !regexp.MustCompile(`(?m)^ *` + name[1] + `:\n( .*\n|\n)*? +` + name[2] + `:`).MatchString(settings) {
			t.Errorf("there is no setting %s.%s", name[1], name[2])
		}
	}
	if len(named) < 10 {
		t.Errorf("only %d settings are named", len(named))
	}
}
