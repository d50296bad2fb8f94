package image

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/takt-dev/takt/e2e/lib/cluster"
	"github.com/takt-dev/takt/hack/manual"
)

const page = "docs/operations.md"

// operations are the commands of docs/operations.md, and the objects that it shows, by the heading that they are under.
type operations struct {
	takt    reference
	book    *manual.Book
	objects map[string]string
}

var (
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	objects = regexp.MustCompile("(?ms)^```yaml\n(.*?)^```$")
)

func readOperations(t *testing.T, takt reference) *operations {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(cluster.Root(), page))
	if err != nil {
		t.Fatal(err)
	}
	book, err := manual.For(cluster.Root(), manual.Image)
	if err != nil {
		t.Fatal(err)
	}
	o := &operations{takt: takt, book: book, objects: map[string]string{}}
	headings := heading.FindAllSubmatchIndex(text, -1)
	for i, at := range headings {
		end := len(text)
		if i+1 < len(headings) {
			end = headings[i+1][0]
		}
		for _, found := range objects.FindAllSubmatch(text[at[1]:end], -1) {
			o.objects[string(text[at[2]:at[3]])] += string(found[1])
		}
	}
	return o
}

// do carries out the commands under a heading as they are written, but for the name of the image.
func (o *operations) do(t *testing.T, heading string) {
	t.Helper()
	passages := o.book.Take(page, heading)
	if len(passages) == 0 {
		t.Fatalf("%s has no commands under %q, but %q", page, heading, o.book.Left())
	}
	home := t.TempDir()
	shell := manual.Shell{
		Folder: cluster.Root(),
		Environment: []string{
			"KUBECONFIG=" + real.Kubeconfig(), "HELM_CACHE_HOME=" + home, "HELM_CONFIG_HOME=" + home, "HELM_DATA_HOME=" + home,
			"PATH=" + filepath.Join(cluster.Root(), "bin") + ":" + filepath.Join(cluster.Root(), "bin", "tools") + ":" +
				os.Getenv("PATH"),
		},
		Words: map[string]string{"registry.example.com/takt": o.takt.name, "v0.1.0": o.takt.tag},
	}
	for _, p := range passages {
		if _, err := shell.Play(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
}

// complete judges that no command was left out.
func (o *operations) complete(t *testing.T) {
	t.Helper()
	if left := o.book.Left(); len(left) > 0 {
		t.Errorf("these commands were not tried: %q", left)
	}
}
