package installed

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/kind/known"
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
		"not installed": {&meta.NoKindMatchError{}, len(known.Kinds()), false},
		"no answer":     {errors.New("connection refused"), 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			k := NewKinds(mapper{err: test.err}, func(context.Context, kind.Kind) error { return nil }, func() {},
				logr.Discard())
			missing, unclear := k.look(t.Context())
			if len(missing) != test.wantMissing || unclear != test.wantUnclear {
				t.Errorf("missing are %v, unclear is %v", missing, unclear)
			}
			if got := k.ResourceOf(known.Kinds()[0]); (got.Resource == "many") != (test.err == nil) {
				t.Errorf("its jobs are called %q", got)
			}
			if k.Known() == nil {
				t.Error("it passes for known before anybody has looked at the answer")
			}
		})
	}
}

// What the API server does not tell is asked for again each second, as nothing can begin before. What it says is
// not installed is looked for now and then, until it is.
func TestKindsAreLookedForUntilAllAreThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		asked := []time.Duration{}
		answer := func() error {
			at := time.Since(began)
			if len(asked) == 0 || asked[len(asked)-1] != at {
				asked = append(asked, at)
			}
			switch {
			case at < 2*time.Second:
				return errors.New("connection refused")
			case at < 20*time.Second:
				return &meta.NoKindMatchError{}
			}
			return nil
		}
		k := NewKinds(asking{answer: answer}, func(context.Context, kind.Kind) error { return nil }, func() {},
			logr.Discard())
		ended := make(chan error, 1)
		go func() { ended <- k.Start(t.Context()) }()
		for at, known := range map[time.Duration]bool{time.Second: false, 3 * time.Second: true} {
			time.AfterFunc(at, func() {
				if is := k.Known() == nil; is != known {
					t.Errorf("after %v it is known which kinds are there: %v, want %v", at, is, known)
				}
			})
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
		want := []time.Duration{0, time.Second, 2 * time.Second, 2*time.Second + lookForKinds, 2*time.Second + 2*lookForKinds}
		if !slices.Equal(asked, want) {
			t.Errorf("it is asked at %v, want %v", asked, want)
		}
	})
}

// asking is a mapper whose answer may change.
type asking struct {
	meta.RESTMapper
	answer func() error
}

func (a asking) RESTMapping(schema.GroupKind, ...string) (*meta.RESTMapping, error) {
	return &meta.RESTMapping{}, a.answer()
}

type mapper struct {
	meta.RESTMapper
	err error
}

func (m mapper) RESTMapping(of schema.GroupKind, _ ...string) (*meta.RESTMapping, error) {
	return &meta.RESTMapping{Resource: schema.GroupVersionResource{Group: of.Group, Resource: "many"}}, m.err
}
