package main

import (
	"context"
	"fmt"

	"github.com/go-logr/logr"
	"k8s.io/client-go/rest"

	"github.com/takt-dev/takt/operator"
	"github.com/takt-dev/takt/operator/settings"
)

// start runs the operator until the context ends.
func start(ctx context.Context, config *rest.Config, s settings.Settings, log logr.Logger) error {
	o, err := operator.New(ctx, config, s, log)
	if err != nil {
		return fmt.Errorf("cannot start the operator: %w", err)
	}
	return o.Run(ctx)
}
