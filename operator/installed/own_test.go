package installed

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/takt-dev/takt/api/v1alpha1"
)

func TestTheOperatorSaysWhichKindsToInstall(t *testing.T) {
	for name, c := range map[string]struct {
		has    []string
		comes  time.Duration // the rest, after so long; never, if it is 0
		says   string
		waited time.Duration
	}{
		"all are there": {has: ownKinds},
		"they come":     {comes: 3 * time.Second, waited: 3 * time.Second},
		"none is there": {says: "the cluster has no ElasticJob, Resize, TrainingProfile, TrainingQueue of " +
			"takt.dev/v1alpha1: install the kinds of Takt with kubectl apply --server-side -k config/crd, or with its Helm " +
			"chart",
			waited: installWithin},
		"one is not there": {has: ownKinds[1:], says: "no ElasticJob of takt.dev/v1alpha1", waited: installWithin},
	} {
		t.Run(name, func(t *testing.T) {
			mapper := meta.NewDefaultRESTMapper(nil)
			serve := func(kinds []string) {
				for _, kind := range kinds {
					mapper.Add(schema.GroupVersionKind{Group: v1alpha1.GroupVersion.Group, Version: v1alpha1.GroupVersion.Version,
						Kind: kind}, meta.RESTScopeNamespace)
				}
			}
			serve(c.has)
			waited := time.Duration(0)
			err := AwaitOwn(t.Context(), mapper, logr.Discard(), func(_ context.Context, d time.Duration) error {
				if waited += d; waited == c.comes {
					serve(ownKinds)
				}
				return nil
			})
			if waited != c.waited || (err != nil) != (c.says != "") || err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("after %s: %v, want %q after %s", waited, err, c.says, c.waited)
			}
		})
	}
	ended := errors.New("told to stop")
	if err := AwaitOwn(t.Context(), meta.NewDefaultRESTMapper(nil), logr.Discard(),
		func(context.Context, time.Duration) error { return ended }); !errors.Is(err, ended) {
		t.Errorf("told to stop: %v", err)
	}
}
