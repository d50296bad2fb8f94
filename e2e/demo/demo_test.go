// Package demo tests what make demo shows.
package demo

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/takt-dev/takt/e2e/cluster"
)

func TestTheDemoShowsWhatItPromises(t *testing.T) {
	output, err := exec.CommandContext(t.Context(), filepath.Join(cluster.Root(), "hack", "demo", "run.sh")).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	for _, want := range []string{
		"8 nodes                  ready",
		"pytorchjob.kubeflow.org/resnet   Succeeded",
		"Taking the cluster down.",
	} {
		if !strings.Contains(string(output), want) {
			t.Errorf("the demo does not show %q:\n%s", want, output)
		}
	}
}
