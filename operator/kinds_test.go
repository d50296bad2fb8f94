package operator

import (
	"context"
	"errors"
	"testing"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/takt-dev/takt/operator/adapter"
)

// An API server that does not answer for a moment must not pass for one that knows no PyTorchJobs:
// all jobs would be let go of, and their promises forgotten.
func TestKindsAreOnlyMissingIfTheAPIServerSaysSo(t *testing.T) {
	for name, test := range map[string]struct {
		err         error
		wantMissing int
		wantUnclear bool
	}{
		"served":        {nil, 0, false},
		"not installed": {&meta.NoKindMatchError{}, len(adapter.Kinds()), false},
		"no answer":     {errors.New("connection refused"), 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			k := newKinds(mapper{err: test.err}, func(context.Context, adapter.Kind) error { return nil }, func() {}, logr.Discard())
			missing, unclear := k.look(t.Context())
			if len(missing) != test.wantMissing || unclear != test.wantUnclear {
				t.Errorf("missing are %v, unclear is %v", missing, unclear)
			}
			if k.known() == nil {
				t.Error("it passes for known before anybody has looked at the answer")
			}
		})
	}
}

type mapper struct {
	meta.RESTMapper
	err error
}

func (m mapper) RESTMapping(schema.GroupKind, ...string) (*meta.RESTMapping, error) {
	return nil, m.err
}
