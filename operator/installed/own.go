package installed

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/version"
)

// ownKinds are those that nothing works without.
var ownKinds = []string{"ElasticJob", "Resize", "TrainingProfile", "TrainingQueue"}

// installWithin is how long the kinds of Takt may take to be there: they are applied along with the operator.
const installWithin = 30 * time.Second

// AwaitOwn waits until the cluster has the kinds of Takt, and fails with what to do if it does not get them.
// Whoever runs the process starts it again then, and it looks anew.
func AwaitOwn(ctx context.Context, mapper meta.RESTMapper, log logr.Logger,
	pause func(context.Context, time.Duration) error) error {
	for waited := time.Duration(0); ; waited += time.Second {
		missing, err := lacking(mapper)
		if err != nil {
			return err
		}
		if len(missing) == 0 {
			return nil
		}
		if waited == 0 {
			log.Info("The cluster does not have all kinds of Takt (yet)", "missing", missing, "within", installWithin.String())
		}
		if waited >= installWithin {
			return fmt.Errorf("the cluster has no %s of %s: install the kinds of Takt with %s, or with its Helm chart",
				strings.Join(missing, ", "), v1alpha1.GroupVersion, version.OfRelease().Apply("crd"))
		}
		if err := pause(ctx, time.Second); err != nil {
			return err
		}
	}
}

// lacking are the kinds of Takt that the cluster does not serve.
func lacking(mapper meta.RESTMapper) (missing []string, err error) {
	for _, kind := range ownKinds {
		_, err := mapper.RESTMapping(schema.GroupKind{Group: v1alpha1.GroupVersion.Group, Kind: kind},
			v1alpha1.GroupVersion.Version)
		switch {
		case meta.IsNoMatchError(err):
			missing = append(missing, kind)
		case err != nil:
			return nil, fmt.Errorf("finding out whether the kinds of Takt are installed: %w", err)
		}
	}
	return missing, nil
}

// Pause waits, unless the context ends.
func Pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
