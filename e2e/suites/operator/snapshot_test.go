package operator

import (
	"bytes"
	"fmt"
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"github.com/takt-dev/takt/e2e/lib/cluster"
	"github.com/takt-dev/takt/e2e/lib/world"
	"github.com/takt-dev/takt/operator/planning"
	"github.com/takt-dev/takt/operator/settings"
)

func TestDecisionCanBeReplayedFromTheSnapshot(t *testing.T) {
	t.Parallel()
	address := cluster.AddressFor(t)
	w := world.New(t, world.Options{Start: world.Operate, Settings: func(s *settings.Settings) {
		s.Metrics = settings.Metrics{BindAddress: address, Secure: true}
	}})
	w.Nodes(1, 4)
	w.PyTorchJob("resnet", world.Job{Workers: 1, Max: 4, Suspended: true, Deadline: "1h"})
	as := newAccounts(t, w.Namespace)
	reader := as.token("platform", "config/prometheus/snapshot_reader.yaml")
	scraper := as.token("prometheus", "config/prometheus/metrics_reader.yaml")

	var snapshot string
	w.Eventually("the job is in the snapshot", world.Soon, func() error {
		status, body, err := get(t, "https://"+address+planning.SnapshotPath, reader)
		if err != nil || status != http.StatusOK || !strings.Contains(body, w.Namespace+"/resnet") {
			return fmt.Errorf("the answer is %d (%w): %s", status, err, body)
		}
		snapshot = body
		return nil
	})
	if status, _, err := get(t, "https://"+address+planning.SnapshotPath, scraper); err != nil ||
		status != http.StatusForbidden {
		t.Errorf("who may get the metrics alone is answered %d (%v)", status, err)
	}
	plan := exec.CommandContext(t.Context(), cluster.Program("takt"), "plan", "--file", "-")
	plan.Stdin = bytes.NewReader([]byte(snapshot))
	output, err := plan.CombinedOutput()
	if err != nil || !strings.Contains(string(output), "resnet") {
		t.Errorf("takt plan: %v\n%s", err, output)
	}
}
