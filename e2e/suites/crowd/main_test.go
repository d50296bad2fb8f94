// Package crowd plays many jobs with deadlines beside the same ones of fixed sizes.
package crowd

import (
	"os"
	"testing"

	"github.com/go-logr/logr"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/takt-dev/takt/e2e/cluster"
)

// Each job that waits for a machine that does something else may be late: the crowd has a control plane of
// its own.
func TestMain(m *testing.M) {
	ctrllog.SetLogger(logr.Discard())
	os.Exit(cluster.RunAlone(m, "--nodes", "0"))
}
