package api

import (
	"os"
	"path/filepath"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/takt-dev/takt/e2e/lib/cluster"
)

// Each sample passes the schema and the rules of its kind as it is.
func TestSamplesAreAccepted(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../../config/samples/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no samples: %v", err)
	}
	c := connect(t)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		o := &unstructured.Unstructured{}
		if err := yaml.UnmarshalStrict(text, &o.Object); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if o.GetKind() == "Kustomization" {
			continue
		}
		namespace := cluster.Shared().Namespace(t)
		if o.GetKind() == "TrainingQueue" { // it is in no namespace, and another test may have applied it
			o.SetName(namespace)
		} else {
			o.SetNamespace(namespace)
		}
		if err := c.Create(t.Context(), o, client.DryRunAll, client.FieldValidation("Strict")); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}
