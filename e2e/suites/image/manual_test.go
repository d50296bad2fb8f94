package image

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/takt-dev/takt/e2e/cluster"
)

// manual are the commands of docs/operations.md, by the heading that they are under.
type manual struct {
	takt     reference
	commands map[string]string
	objects  map[string]string
	done     map[string]bool
}

var (
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	block   = regexp.MustCompile("(?ms)^```sh\n(.*?)^```$")
	objects = regexp.MustCompile("(?ms)^```yaml\n(.*?)^```$")
)

func readManual(t *testing.T, takt reference) *manual {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(cluster.Root(), "docs", "operations.md"))
	if err != nil {
		t.Fatal(err)
	}
	m := &manual{takt: takt, commands: map[string]string{}, objects: map[string]string{}, done: map[string]bool{}}
	headings := heading.FindAllSubmatchIndex(text, -1)
	for i, at := range headings {
		end := len(text)
		if i+1 < len(headings) {
			end = headings[i+1][0]
		}
		for _, found := range block.FindAllSubmatch(text[at[1]:end], -1) {
			m.commands[string(text[at[2]:at[3]])] += string(found[1])
		}
		for _, found := range objects.FindAllSubmatch(text[at[1]:end], -1) {
			m.objects[string(text[at[2]:at[3]])] += string(found[1])
		}
	}
	return m
}

// do carries out the commands under a heading as they are written, but for the name of the image.
func (m *manual) do(t *testing.T, heading string) {
	t.Helper()
	commands, found := m.commands[heading]
	if !found {
		t.Fatalf("docs/operations.md has no commands under %q, but under %q", heading, slices.Sorted(maps.Keys(m.commands)))
	}
	m.done[heading] = true
	commands = strings.NewReplacer("registry.example.com/takt", m.takt.name, "v0.1.0", m.takt.tag).Replace(commands)
	shell := exec.CommandContext(t.Context(), "bash", "-euxo", "pipefail", "-c", commands)
	shell.Dir = cluster.Root()
	home := t.TempDir()
	shell.Env = append(os.Environ(), "KUBECONFIG="+real.Kubeconfig(), "HELM_CACHE_HOME="+home, "HELM_CONFIG_HOME="+home,
		"HELM_DATA_HOME="+home,
		"PATH="+filepath.Join(cluster.Root(), "bin")+":"+filepath.Join(cluster.Root(), "bin", "tools")+":"+os.Getenv("PATH"))
	if said, err := shell.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", heading, err, said)
	}
}

// complete judges that no command was left out.
func (m *manual) complete(t *testing.T) {
	t.Helper()
	for heading := range m.commands {
		if !m.done[heading] {
			t.Errorf("the commands under %q were not tried", heading)
		}
	}
}
