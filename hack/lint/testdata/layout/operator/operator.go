package operator

import (
	"context"

	_ "k8s.io/client-go"
	_ "k8s.io/kubernetes" // want depguard "only the scheduler and the control plane"
	_ "sigs.k8s.io/controller-runtime"

	_ "github.com/takt-dev/takt/api/v1alpha1"
	_ "github.com/takt-dev/takt/elastic"
	_ "github.com/takt-dev/takt/operator/fixture" // want depguard "only tests have an operator"
	_ "github.com/takt-dev/takt/operator/keeping"
	_ "github.com/takt-dev/takt/operator/planning"
	_ "github.com/takt-dev/takt/operator/rooms"
	_ "github.com/takt-dev/takt/operator/view"
)

func whole() context.Context { return context.Background() } // want forbidigo "a context is passed"
