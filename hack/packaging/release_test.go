// Package packaging tests the scripts by which a release is made.
package packaging

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

const changelog = `# Changelog

## Unreleased

What comes.

## [0.10.0] - 2026-12-02

What came later.

## 0.1.0

What there was.

## 0.1.0-rc.2

What there was before.
`

// repository is one with the scripts and a changelog in it, of which one commit is tagged v0.1.0.
func repository(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	folder := filepath.Join(root, "hack", "packaging")
	if err := os.MkdirAll(folder, 0o750); err != nil {
		t.Fatal(err)
	}
	for _, script := range []string{"check", "notes"} {
		text, err := os.ReadFile(script)
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, script), text, 0o700) //nolint:gosec // it is called
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "CHANGELOG.md"), []byte(changelog), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"init -q", "add .", "commit -q -m first", "tag -a -m tagged v0.1.0"} {
		if said, err := do(t, root, "git", strings.Fields(command)...); err != nil {
			t.Fatalf("git %s: %v\n%s", command, err, said)
		}
	}
	return root
}

func do(t *testing.T, folder, program string, arguments ...string) (string, error) {
	t.Helper()
	command := exec.CommandContext(t.Context(), program, arguments...)
	command.Dir = folder
	command.Env = append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a",
		"GIT_COMMITTER_EMAIL=a@example.com", "GIT_CONFIG_GLOBAL=/dev/null")
	said, err := command.CombinedOutput()
	return string(said), err
}

// What is wrong is said before anything is built, and what to give instead.
func TestWhatIsNoReleaseIsRefused(t *testing.T) {
	root := repository(t)
	const image = "registry.example.com/takt"
	for _, test := range []struct{ version, image, want string }{
		{"v0.1.0", image, ""},
		{"v0.2.0-rc.1", "r.example.com:5000/some/takt_1", ""},
		{"v0.0.0-20261127064058-55c84191", image, ""},
		{"1.0", image, "such as v0.1.0"},
		{"v1", image, "such as v0.1.0"},
		{"0.1.0", image, "such as v0.1.0"},
		{"v0.01.0", image, "such as v0.1.0"},
		{"v0.1.0-rc..1", image, "such as v0.1.0"},
		{"v0.1.0-01", image, "such as v0.1.0"},
		{"v0.1.0+build", image, "such as v0.1.0"},
		{"", image, "such as v0.1.0"},
		{"v0.1.0", "takt", "without a tag, by IMAGE"},
		{"v0.1.0", "localhost/takt", "without a tag, by IMAGE"},
		{"v0.1.0", "registry.example.com/takt:v0.1.0", "without a tag, by IMAGE"},
	} {
		said, err := do(t, root, "hack/packaging/check", test.version, test.image)
		if (err == nil) != (test.want == "") || !strings.Contains(said, test.want) {
			t.Errorf("of %s with %s this is said (%v): %s", test.version, test.image, err, said)
		}
	}
}

// Else what is given away as a version would be what nobody can look up.
func TestAReleaseIsOfACommit(t *testing.T) {
	root := repository(t)
	refused := func(version, want string) {
		t.Helper()
		said, err := do(t, root, "hack/packaging/check", version, "registry.example.com/takt")
		if err == nil || !strings.Contains(said, want) {
			t.Errorf("%q is not said, but (%v): %s", want, err, said)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "new.go"), []byte("package main"), 0o600); err != nil {
		t.Fatal(err)
	}
	refused("v0.1.0", "new.go")
	_, added := do(t, root, "git", "add", ".")
	_, committed := do(t, root, "git", "commit", "-q", "-m", "second")
	if err := errors.Join(added, committed); err != nil {
		t.Fatal(err)
	}
	refused("v0.1.0", "the tag of another commit")
	if said, err := do(t, root, "hack/packaging/check", "v0.2.0", "registry.example.com/takt"); err != nil {
		t.Errorf("%v: %s", err, said)
	}
}

func TestNotesAreThoseOfTheVersion(t *testing.T) {
	root := repository(t)
	for version, want := range map[string]string{
		"v0.1.0": "What there was.", "v0.10.0": "What came later.", "v0.1.0-rc.2": "What there was before.",
		"v0.2.0": "What comes.", "v0.1.0-rc.1": "What comes.",
	} {
		said, err := do(t, root, "hack/packaging/notes", version)
		if err != nil || said != "# Takt "+version+"\n\n"+want+"\n" {
			t.Errorf("the notes of %s are (%v): %s", version, err, said)
		}
	}
	empty := []byte("# Changelog\n\n## Unreleased\n\n")
	if err := os.WriteFile(filepath.Join(root, "CHANGELOG.md"), empty, 0o600); err != nil {
		t.Fatal(err)
	}
	if said, err := do(t, root, "hack/packaging/notes", "v0.1.0"); err == nil ||
		!strings.Contains(said, "nothing to say") {
		t.Errorf("of notes that are empty this is said (%v): %s", err, said)
	}
}

// krew refuses a manifest without these, and does not find its way in one that names a system twice.
func TestKrewFindsAnArchiveForEachSystem(t *testing.T) {
	folder := t.TempDir()
	systems := []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64"}
	for _, system := range systems {
		name := "takt-v0.1.0-" + strings.ReplaceAll(system, "/", "-") + ".tar.gz"
		if err := os.WriteFile(filepath.Join(folder, name), []byte(system), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	said, err := do(t, ".", "./krew", "v0.1.0", folder)
	if err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	var manifest struct {
		Metadata struct{ Name string }
		Spec     struct {
			Version, ShortDescription string
			Platforms                 []struct {
				Selector         struct{ MatchLabels map[string]string }
				URI, Sha256, Bin string
				Files            []struct{ From, To string }
			}
		}
	}
	if err := yaml.Unmarshal([]byte(said), &manifest); err != nil {
		t.Fatal(err)
	}
	spec := manifest.Spec
	if manifest.Metadata.Name != "takt" || spec.Version != "v0.1.0" || len(spec.ShortDescription) > 50 ||
		len(spec.Platforms) != len(systems) {
		t.Errorf("the manifest is\n%s", said)
	}
	for i, platform := range spec.Platforms {
		system, architecture, _ := strings.Cut(systems[i], "/")
		program := map[string]string{"windows": "takt.exe"}[system]
		if program == "" {
			program = "takt"
		}
		labels := map[string]string{"os": system, "arch": architecture}
		if !maps.Equal(platform.Selector.MatchLabels, labels) || platform.Bin != program ||
			platform.Files[0].From != "./"+program {
			t.Errorf("for %s there is %+v", systems[i], platform)
		}
		sum := sha256.Sum256([]byte(systems[i]))
		if platform.Sha256 != hex.EncodeToString(sum[:]) ||
			!strings.HasSuffix(platform.URI, "/v0.1.0/takt-v0.1.0-"+system+"-"+architecture+".tar.gz") {
			t.Errorf("for %s %s is to have the checksum %s", systems[i], platform.URI, platform.Sha256)
		}
	}
}

// Whoever has a release has the command at hand by which the manual has them remove Takt.
func TestAnArchiveHasTheProgramsThatTheManualNames(t *testing.T) {
	script, err := os.ReadFile("release")
	if err != nil {
		t.Fatal(err)
	}
	manual, err := os.ReadFile(filepath.Join("..", "..", "docs", "operations.md"))
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile("(?m)^\\| `takt-v0\\.1\\.0-linux-amd64\\.tar\\.gz` and others \\| (.*) for Linux").
		FindSubmatch(manual)
	if row == nil {
		t.Fatal("the manual does not say what the archives hold")
	}
	built := regexp.MustCompile(`(?m)GOOS=\$os .* go build .*`).FindString(string(script))
	named := regexp.MustCompile("`([a-z-]+)`").FindAllSubmatch(row[1], -1)
	if len(named) != 2 {
		t.Errorf("the manual says that the archives hold %s", row[1])
	}
	for _, program := range named {
		if !strings.Contains(built+" ", " ./cmd/"+string(program[1])+" ") {
			t.Errorf("%s is not built: %s", program[1], built)
		}
	}
}
