package scale

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/go-logr/logr"
	"k8s.io/client-go/rest"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/takt-dev/takt/e2e/cluster"
	"github.com/takt-dev/takt/operator"
	"github.com/takt-dev/takt/operator/settings"
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

// start runs the operator as a world wants it.
func start(ctx context.Context, config *rest.Config, s settings.Settings) error {
	o, err := operator.New(config, s, logr.FromContextOrDiscard(ctx))
	if err != nil {
		return err
	}
	return o.Run(ctx)
}
