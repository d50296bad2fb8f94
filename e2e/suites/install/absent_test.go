package install

import (
	"context"
	"errors"
	"os/exec"
	"strings"
	"testing"

	"github.com/takt-dev/takt/e2e/lib/cluster"
)

// The program is started by people before they have installed the kinds of Takt. It waits for them, as they may
// be applied along with it, and then ends with what to do. This has to be the first test: later ones install the
// kinds. It takes the half minute that the program waits.
func TestTheOperatorEndsWithWhatToInstall(t *testing.T) {
	if output, err := fresh.Kubectl(t.Context(), "get", "--raw", "/apis/takt.dev"); err == nil {
		t.Fatalf("the cluster has kinds of Takt already: %s", output)
	}
	ctx, cancel := context.WithTimeout(t.Context(), enough)
	defer cancel()
	operator := exec.CommandContext(ctx, cluster.Program("takt-operator"), "--kubeconfig", fresh.Kubeconfig())
	output, err := operator.CombinedOutput()
	var failed *exec.ExitError
	if !errors.As(err, &failed) || failed.ExitCode() != 1 {
		t.Errorf("it ends with %v, want exit code 1", err)
	}
	lines := strings.Split(strings.TrimSpace(string(output)), "\n")
	const want = "takt-operator: cannot start the operator: the cluster has no ElasticJob, Resize, TrainingProfile, " +
		"TrainingQueue of takt.dev/v1alpha1: install the kinds of Takt with kubectl apply --server-side -k config/crd, " +
		"or with its Helm chart"
	if last := lines[len(lines)-1]; last != want {
		t.Errorf("its last words are %q, want %q", last, want)
	}
	if !strings.Contains(string(output), "The cluster does not have all kinds of Takt (yet)") || len(lines) > 4 {
		t.Errorf("it does not say once, at the beginning, that it waits for them, or it says much else:\n%s", output)
	}
}
