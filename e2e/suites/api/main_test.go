// Package api tests the kinds of Takt against a real API server: what it refuses and with which
// words, what it accepts, and how it shows them.
//
// Where its time goes, alone on two processors: 7 s, of which two thirds are waiting for
// the API server to know the CRDs. There is nothing to gain.
package api

import (
	"os"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/cluster"
)

func TestMain(m *testing.M) {
	if err := v1alpha1.AddToScheme(clientgoscheme.Scheme); err != nil {
		panic(err)
	}
	os.Exit(cluster.Run(m))
}

// connect gives a client that knows the kinds of Takt.
func connect(t *testing.T) client.Client {
	t.Helper()
	c, err := client.New(cluster.Shared().Config(), client.Options{Scheme: clientgoscheme.Scheme})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// object reads a manifest as a user would write it, without the help of Go types.
func object(t *testing.T, manifest, namespace string) *unstructured.Unstructured {
	t.Helper()
	o := &unstructured.Unstructured{}
	if err := yaml.UnmarshalStrict([]byte(manifest), &o.Object); err != nil {
		t.Fatalf("the manifest of the test is not YAML: %v\n%s", err, manifest)
	}
	o.SetAPIVersion(v1alpha1.GroupVersion.String())
	if o.GetKind() != "TrainingQueue" {
		o.SetNamespace(namespace)
	}
	return o
}
