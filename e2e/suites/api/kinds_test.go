package api

import (
	"testing"

	"github.com/takt-dev/takt/config/crd"
	"github.com/takt-dev/takt/e2e/lib/cluster"
)

// The API server tells of the kinds of this version in such words that nothing seems to be missing.
func TestTheKindsOfThisVersionLackNothing(t *testing.T) {
	served, err := cluster.Shared().Kubectl(t.Context(), "get", "--raw", "/openapi/v3/apis/takt.dev/v1alpha1")
	if err != nil {
		t.Fatal(err)
	}
	lacking, err := crd.Lacking([]byte(served))
	if len(lacking) > 0 || err != nil {
		t.Errorf("it lacks %q, and the error is %v", lacking, err)
	}
}
