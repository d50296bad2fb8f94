package operator

import (
	"context"

	"github.com/go-logr/logr"
	"k8s.io/client-go/rest"

	"github.com/takt-dev/takt/operator"
	"github.com/takt-dev/takt/operator/settings"
)

// start runs the operator as a world wants it.
func start(ctx context.Context, config *rest.Config, s settings.Settings) error {
	o, err := operator.New(config, s, logr.FromContextOrDiscard(ctx))
	if err != nil {
		return err
	}
	return o.Run(ctx)
}
