package packaging

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// What stands for programs: those that would build for minutes, and what reads what they have built. All else is real.
const (
	standsForGo = `#!/bin/bash
set -euo pipefail
case "$1 $2" in
"build "*)
	while [ "$1" != -o ]; do shift; done
	folder=$2; shift 2
	ending=; [ "$GOOS" != windows ] || ending=.exe
	for program; do echo "$GOOS $GOARCH $CGO_ENABLED" > "$folder/${program##*/}$ending"; done ;;
"run ./hack/image/notices") echo licences ;;
"run ./sbom") echo "{}" ;;
*) exec "$REAL_GO" "$@" ;;
esac
`
	standsForHelm = `#!/bin/bash
set -euo pipefail
[ "$1 $3 $4 $5 $6 $7" = "package --version 0.1.0 --app-version v0.1.0 --destination" ]
grep '^  repository: ' "$2/values.yaml" > "$8/takt-0.1.0.tgz"
`
)

// sources is a repository of one commit with all that a release is made of, but for the programs.
func sources(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for _, folder := range []string{"hack/packaging", "config", "charts", "bundle"} {
		if err := os.CopyFS(filepath.Join(root, folder), os.DirFS(filepath.Join("..", "..", folder))); err != nil {
			t.Fatal(err)
		}
	}
	license, err := os.ReadFile("../../LICENSE")
	if err != nil {
		t.Fatal(err)
	}
	put(t, root, "LICENSE", string(license), 0o600)
	put(t, root, "CHANGELOG.md", changelog, 0o600)
	put(t, root, ".gitignore", "/bin\n", 0o600)
	for _, command := range []string{"init -q", "add .", "commit -q -m first"} {
		if said, err := do(t, root, "git", strings.Fields(command)...); err != nil {
			t.Fatalf("git %s: %v\n%s", command, err, said)
		}
	}
	put(t, root, "bin/stand-ins/go", standsForGo, 0o700)
	put(t, root, "bin/tools/helm", standsForHelm, 0o700)
	return root
}

func put(t *testing.T, root, path, text string, mode os.FileMode) {
	t.Helper()
	path = filepath.Join(root, path)
	err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o750), os.WriteFile(path, []byte(text), mode))
	if err != nil {
		t.Fatal(err)
	}
}

// putImages has archives lie there as make image leaves them, of a commit.
func putImages(t *testing.T, root, commit string) {
	t.Helper()
	work := t.TempDir()
	put(t, work, "manifest.json", `[{"Config":"config.json"}]`, 0o600)
	put(t, work, "config.json", fmt.Sprintf(`{"Labels":{"org.opencontainers.image.revision":"%s"}}`, commit), 0o600)
	names := []string{"takt-linux-amd64", "takt-linux-arm64", "takt-agent-linux-amd64", "takt-agent-linux-arm64"}
	for _, name := range names {
		archive := filepath.Join(root, "bin", "images", name+".tar")
		if err := os.MkdirAll(filepath.Dir(archive), 0o750); err != nil {
			t.Fatal(err)
		}
		if said, err := do(t, work, "tar", "-cf", archive, "manifest.json", "config.json"); err != nil {
			t.Fatalf("%v: %s", err, said)
		}
	}
}

// release calls the script by which make release makes all files.
func release(t *testing.T, root string) (string, error) {
	t.Helper()
	compiler, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	return do(t, root, "env", "REAL_GO="+compiler, "PATH="+filepath.Join(root, "bin", "stand-ins")+":"+os.Getenv("PATH"),
		"hack/packaging/release", "v0.1.0", "registry.example.com/takt", "bin/release")
}

func TestAReleaseHasWhatTheManualLists(t *testing.T) {
	root := sources(t)
	head, err := do(t, root, "git", "rev-parse", "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	putImages(t, root, strings.TrimSpace(head))
	if said, err := release(t, root); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	out := filepath.Join(root, "bin", "release")
	for _, name := range listed(t) {
		if _, err := os.Stat(filepath.Join(out, name)); err != nil {
			t.Errorf("the manual lists what a release has not: %v", err)
		}
	}
	checkSums(t, out)
	for archive, want := range map[string][]string{
		"takt-v0.1.0-linux-arm64.tar.gz":   {"./", "./LICENSE", "./NOTICES", "./takt", "./takt-operator"},
		"takt-v0.1.0-windows-amd64.tar.gz": {"./", "./LICENSE", "./NOTICES", "./takt-operator.exe", "./takt.exe"},
	} {
		said, err := do(t, out, "tar", "-tzf", archive)
		if got := strings.Fields(said); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s has %q (%v), want %q", archive, got, err, want)
		}
	}
	if chart, err := os.ReadFile(filepath.Join(out, "takt-0.1.0.tgz")); err != nil ||
		string(chart) != "  repository: registry.example.com/takt\n" {
		t.Errorf("the chart names the image %q (%v)", chart, err)
	}
}

// listed are the files that the manual lists of a release, for each architecture.
func listed(t *testing.T) []string {
	t.Helper()
	manual, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	_, part, _ := strings.Cut(string(manual), "\n## A release\n")
	part, _, _ = strings.Cut(part, "\n## ")
	var names []string
	for _, row := range regexp.MustCompile("(?m)^\\| `([^`]+)`").FindAllStringSubmatch(part, -1) {
		names = append(names, row[1])
		if strings.Contains(row[1], "amd64") {
			names = append(names, strings.ReplaceAll(row[1], "amd64", "arm64"))
		}
	}
	if len(names) < 12 {
		t.Errorf("the manual lists %q alone", names)
	}
	return names
}

// checkSums judges that the sums are those of all other files.
func checkSums(t *testing.T, out string) {
	t.Helper()
	files, err := os.ReadDir(out)
	if err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(out, file.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if file.Name() != "SHA256SUMS" {
			sum := sha256.Sum256(text)
			want.WriteString(hex.EncodeToString(sum[:]) + "  " + file.Name() + "\n")
		}
	}
	got, err := os.ReadFile(filepath.Join(out, "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	if sorted(string(got)) != sorted(want.String()) {
		t.Errorf("the sums are\n%s, want\n%s", got, want.String())
	}
}

func sorted(lines string) string {
	return strings.Join(slices.Sorted(strings.SplitSeq(lines, "\n")), "\n")
}

// Images are built by another command, maybe of what was checked out before.
func TestAReleaseTakesNoImagesOfAnotherCommit(t *testing.T) {
	root := sources(t)
	putImages(t, root, strings.Repeat("0", 40))
	if said, err := release(t, root); err == nil || !strings.Contains(said, "is not of the commit that is checked out") {
		t.Errorf("of images of another commit this is said (%v): %s", err, said)
	}
}
