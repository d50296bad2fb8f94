package peers

import (
	"errors"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/takt-dev/takt/e2e/lib/cluster"
)

func must(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// eventually waits until check finds nothing to object to.
func eventually(b *testing.B, what string, check func() error) {
	b.Helper()
	const limit = 3 * time.Minute
	for late := time.Now().Add(limit); ; {
		err := check()
		if err == nil {
			return
		}
		if time.Now().After(late) {
			b.Fatalf("it did not come about within %v that %s: %v", limit, what, err)
		}
		select {
		case <-b.Context().Done():
			b.Fatal(b.Context().Err())
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// answers is an error unless an address is served.
func answers(b *testing.B, address string) error {
	request, err := http.NewRequestWithContext(b.Context(), http.MethodGet, address, http.NoBody)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return errors.New(response.Status)
	}
	return nil
}

func kubectl(b *testing.B, home *cluster.Cluster, input string, arguments ...string) string {
	b.Helper()
	said, err := home.KubectlWith(b.Context(), input, arguments...)
	must(b, err)
	return said
}

// source is the folder of a peer's module, which the module in a folder here is there to build.
func source(b *testing.B, builder, module string) string { return list(b, builder, "{{.Dir}}", module) }

// version names a module with the version of it that is built, which may be there instead of the one that is asked for.
func version(b *testing.B, builder, module string) string {
	return list(b, builder, "{{.Path}} {{with .Replace}}{{.Version}}{{else}}{{.Version}}{{end}}", module)
}

// list says something of a module that one here builds.
func list(b *testing.B, builder, format, module string) string {
	b.Helper()
	cmd := exec.CommandContext(b.Context(), "go", "list", "-m", "-f", format, module)
	cmd.Dir = filepath.Join(cluster.Root(), builder)
	said, err := cmd.Output()
	must(b, err)
	return strings.TrimSpace(string(said))
}
