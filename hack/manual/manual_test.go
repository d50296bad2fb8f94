package manual

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const repository = "../.."

func collect(t *testing.T) []Passage {
	t.Helper()
	all, err := Collect(repository)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 200 {
		t.Errorf("only %d passages are found", len(all))
	}
	return all
}

// Whatever the documents tell people to type, a test plays it, or somebody has said why none does.
func TestEachCommandIsPlayed(t *testing.T) {
	held, excepted := make([]bool, len(rules)), make([]bool, len(exceptions))
	for _, p := range collect(t) {
		open := false
		for _, line := range p.Lines() {
			if i, found := exceptionOf(p.File, line); found {
				excepted[i] = true
			} else {
				open = true
			}
		}
		if playerOf(p) == "" && open {
			t.Errorf("%s: no test plays %q: give it to one in hack/manual/rules.go, or say in exceptions.go why none does",
				p.Where(), p.Command())
		}
		for i, r := range rules {
			if r.holds(p) {
				held[i] = true
				break
			}
		}
	}
	for i, r := range rules {
		if !held[i] {
			t.Errorf("no document has what this rule is for: %+v", r)
		}
	}
	for i, e := range exceptions {
		if !excepted[i] {
			t.Errorf("no document has what this exception is for: %+v", e)
		}
		if e.why == "" {
			t.Errorf("this exception has no reason: %+v", e)
		}
	}
}

// What is not found is played by nobody, and nobody hears of it.
func TestCommandsInSentencesAreFound(t *testing.T) {
	for _, command := range []string{
		"kubectl get pods", "takt why resnet", "takt-operator remove", "helm uninstall takt", "make lint", "bin/takt list",
		"localcluster up", "go test ./...", "go build ./cmd/takt", "go run ./cmd/takt-operator remove", "go install x@v1",
		"apt-get install chromium", "sudo apt-get install git", "pip install x", "python3 -m venv x", "docker load -i x",
		"podman load -i x", "crane push x y", "ctr images import x", "skopeo copy x y", "git clone x", "curl -O x",
		"hack/packaging/check v1", "TAKT_LONG=1 go test ./...",
	} {
		found := inSentences("Call `" + strings.Replace(command, " ", "\n", 1) + "`, or `it`.")
		if len(found) != 1 || found[0].Script != command+"\n" {
			t.Errorf("of %s this is found: %+v", command, found)
		}
	}
	for _, name := range []string{"`kubectl`", "`git`", "`pythonic x`", "`docker-compose up`", "`gopher run`"} {
		if found := inSentences(name); len(found) > 0 {
			t.Errorf("%s is taken for a command: %+v", name, found)
		}
	}
}

// Each player plays: it opens its book, and looks at what is left of it.
func TestEachPlayerOpensItsBook(t *testing.T) {
	names := map[Player]string{
		Sources: "Sources", Alone: "Alone", Jobs: "Jobs", Ended: "Ended", Installation: "Installation", Image: "Image",
		Machine: "Machine",
	}
	for player, folder := range Players {
		files, err := filepath.Glob(filepath.Join(repository, folder, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		var source strings.Builder
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			source.Write(text)
		}
		for _, want := range []string{names[player] + ")", ".Left()"} {
			if !strings.Contains(source.String(), want) {
				t.Errorf("the tests of %s, where %s is played, do not say %q", folder, player, want)
			}
		}
	}
}

func TestWhatIsToBeTypedIsFound(t *testing.T) {
	text := "# Title\n\nCall `takt why\nJOB`, as `takt` or `name` are none. See `bin/takt list` and `make x`.\n\n" +
		"```\n$ takt list\nNAME\ntakt is said\n$ takt \\\n  queues\n```\n" +
		"## Next\n```\nkubectl get pods  # all\n\nhelm ls\n```\n" +
		"```\nNAME  AGE\n```\n```yaml\nmake: it\n```\n```sh\n./any thing\n```\n"
	want := []Passage{
		{"a.md", "Title", 3, "takt why JOB\n", false},
		{"a.md", "Title", 4, "bin/takt list\n", false},
		{"a.md", "Title", 4, "make x\n", false},
		{"a.md", "Title", 7, "takt list\ntakt \\\n  queues\n", true},
		{"a.md", "Next", 15, "kubectl get pods  # all\n\nhelm ls\n", true},
		{"a.md", "Next", 26, "./any thing\n", true},
	}
	got := read("a.md", text)
	if len(got) != len(want) {
		t.Fatalf("got %d passages: %+v", len(got), got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got %+v, want %+v", got[i], want[i])
		}
	}
}

func TestACommandThatIsOnlyNamedIsToldFromOneThatIsCalled(t *testing.T) {
	for script, want := range map[string]bool{
		"takt why": true, "kubectl apply --server-side": true, "takt plan --file": true, "kubectl explain": true,
		"localcluster load ARCHIVE": true,
		"takt why bert":             false, "takt list": false, "kubectl explain elasticjob.spec": false,
	} {
		if got := (Passage{Script: script + "\n"}).Named(); got != want {
			t.Errorf("%s: %v", script, got)
		}
	}
}
