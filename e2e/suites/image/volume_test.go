package image

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	poll "k8s.io/apimachinery/pkg/util/wait"

	"github.com/takt-dev/takt/e2e/lib/cluster"
)

// keepOnAVolume has the operator keep what has happened to a job that has ended on a volume, and reads it there, as
// docs/operations.md says.
func keepOnAVolume(t *testing.T, read *operations) {
	t.Helper()
	folder := t.TempDir()
	if err := os.Chmod(folder, 0o777); err != nil { //nolint:gosec // what is on a node is of no user that pods know
		t.Fatal(err)
	}
	volume := "apiVersion: v1\nkind: PersistentVolume\nmetadata: {name: takt-records}\nspec:\n" +
		"  capacity: {storage: 1Gi}\n  accessModes: [ReadWriteMany]\n  hostPath:\n    path: " + folder + "\n"
	for _, text := range []string{volume, read.objects["For longer, on a volume"]} {
		if _, err := real.KubectlWith(t.Context(), text, "apply", "--server-side", "-f", "-"); err != nil {
			t.Fatal(err)
		}
	}
	manifests := kubectl(t, "kustomize", filepath.Join(cluster.Root(), "e2e", "suites", "install", "testdata", "records"))
	takt := read.takt
	manifests = strings.NewReplacer("takt:dev", takt.name+":"+takt.tag,
		"takt-agent:dev", takt.name+"-agent:"+takt.tag).Replace(manifests)
	if _, err := real.KubectlWith(t.Context(), manifests, "apply", "--server-side", "-f", "-"); err != nil {
		t.Fatal(err)
	}
	kubectl(t, "rollout", "status", "--namespace", "takt-system", "deployment/takt-operator", "--timeout", enough)
	if err := poll.PollUntilContextTimeout(t.Context(), time.Second, 5*time.Minute, true,
		func(context.Context) (bool, error) {
			files, err := filepath.Glob(filepath.Join(folder, "*", "*.jsonl.gz"))
			return len(files) > 0, err
		}); err != nil {
		t.Fatalf("nothing was written to the volume: %v", err)
	}
	for _, made := range []string{"records.json", "year"} {
		t.Cleanup(func() { _ = os.RemoveAll(filepath.Join(cluster.Root(), made)) })
	}
	read.do(t, "For longer, on a volume")
	jobs, err := os.ReadFile(filepath.Join(cluster.Root(), "year", "jobs.csv"))
	if err != nil || !strings.Contains(string(jobs), "resnet") {
		t.Errorf("%v, the trace is\n%s", err, jobs)
	}
}
