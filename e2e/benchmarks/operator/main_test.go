package operator

import (
	"fmt"
	"os"
	"testing"

	"github.com/go-logr/logr"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/takt-dev/takt/e2e/lib/cluster"
)

func TestMain(m *testing.M) {
	ctrllog.SetLogger(logr.Discard())
	code := cluster.RunAlone(m, "--nodes", "0")
	if err := publish(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}
