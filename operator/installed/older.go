package installed

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/config/crd"
	"github.com/takt-dev/takt/version"
)

// Older says in the log what the kinds of Takt in the cluster lack that this operator writes. It looks once the kinds
// that are applied along with the operator are there.
type Older struct {
	API   rest.Interface
	Log   logr.Logger
	Pause func(context.Context, time.Duration) error
}

// NewOlder asks the API server by a client that others have as well.
func NewOlder(config *rest.Config, web *http.Client, log logr.Logger) (*Older, error) {
	asks, err := discovery.NewDiscoveryClientForConfigAndClient(config, web)
	if err != nil {
		return nil, fmt.Errorf("building the client: %w", err)
	}
	return &Older{asks.RESTClient(), log, Pause}, nil
}

// Start looks, once. Where the API server does not say how the kinds are, nobody needs to know.
func (o *Older) Start(ctx context.Context) error {
	if o.Pause(ctx, installWithin) == nil {
		o.look(ctx)
	}
	return nil
}

func (o *Older) look(ctx context.Context) {
	if lacking, err := o.lacking(ctx); err != nil {
		o.Log.V(1).Info("Nobody can tell whether the kinds of Takt are as new as this operator", "error", err.Error())
	} else if len(lacking) > 0 {
		o.Log.Error(nil, "The kinds of Takt in this cluster are older than this operator: what it writes there is lost or "+
			"refused. Apply them with "+version.OfRelease().Apply("crd")+", or upgrade the Helm chart",
			"lacking", strings.Join(lacking[:min(len(lacking), mostNamed)], ", "), "of", len(lacking))
	}
}

func (o *Older) lacking(ctx context.Context) ([]string, error) {
	served, err := o.API.Get().AbsPath("/openapi/v3/apis", v1alpha1.GroupVersion.String()).
		SetHeader("Accept", "application/json").DoRaw(ctx)
	if err != nil {
		return nil, err
	}
	return crd.Lacking(served)
}

// mostNamed is how many fields a line of the log names.
const mostNamed = 10

// NeedLeaderElection says that each process looks: the new one may not lead yet.
func (o *Older) NeedLeaderElection() bool { return false }
