// Package crowd plays many jobs with deadlines beside the same ones of fixed sizes.
//
// Where its time goes, alone on two processors: 226 s for the sample, of which 83 % are
// waiting: jobs come for two minutes, and train for one more. The API server and etcd have 6 %, the tests and
// Takt 2 %. Shorter jobs would be over before anything is learned of them.
package crowd

import (
	"os"
	"testing"

	"github.com/go-logr/logr"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/takt-dev/takt/e2e/lib/cluster"
)

// Each job that waits for a machine that does something else may be late: the crowd has a control plane of
// its own.
func TestMain(m *testing.M) {
	ctrllog.SetLogger(logr.Discard())
	os.Exit(cluster.RunAlone(m, "--nodes", "0"))
}
