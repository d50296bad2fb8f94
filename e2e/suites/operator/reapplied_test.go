package operator

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/takt-dev/takt/e2e/lib/cluster"
	"github.com/takt-dev/takt/e2e/lib/training"
	"github.com/takt-dev/takt/e2e/lib/world"
)

// Whoever submits a job suspended, and later applies its file with another deadline, stops the training without meaning
// it.
func TestJobWhoseManifestIsAppliedAgainGoesOn(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{Start: world.Operate})
	w.Nodes(1, 2)
	var manifest *unstructured.Unstructured
	w.PyTorchJob("resnet", world.Job{
		Workers: 2, Suspended: true, Deadline: "3h", Training: world.Steps(36000, training.Speed{Base: 10, Scaling: 0.9}),
		Change: func(job *unstructured.Unstructured) { manifest = job.DeepCopy() },
	})
	run(w, "resnet", 2)
	settle(w, "resnet")
	notes := manifest.GetAnnotations()
	notes["takt.dev/deadline"] = "4h"
	manifest.SetAnnotations(notes)
	text, err := manifest.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "resnet.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	deadline := w.Job("resnet").Status.Deadline
	if _, err := cluster.Shared().Kubectl(t.Context(), "apply", "-f", file); err != nil {
		t.Fatal(err)
	}
	w.Eventually("it was started again, and has its new deadline", world.Later, func() error {
		starts := 0
		for _, r := range w.Resizes("resnet") {
			if r.Spec.From == 0 {
				starts++
			}
		}
		return errors.Join(runs(w, "resnet", 2), world.Want("it was started again", starts > 1, true),
			world.Want("its deadline is another", w.Job("resnet").Status.Deadline != deadline, true))
	})
	screen(t, w, `SuspendedByManifest`, "get", "events")
}
