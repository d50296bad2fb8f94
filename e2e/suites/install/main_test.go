// Package install tests the manifests: what they consist of, that a cluster which has never heard of
// Takt takes them, and what they let the operator do there.
//
// Where its time goes, alone on two processors: 144 s, of which 12 are the start of its control
// plane, and 33 a scheduler that waits for the lease of the one that it takes the place of. To these come 30 s in
// which the operator waits for kinds that do not come.
package install

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/takt-dev/takt/e2e/lib/cluster"
)

// fresh is a cluster of this package's own, without the CRDs of Takt: that of the other tests has them
// already, and would not show whether they can be installed together with what needs them.
var fresh *cluster.Cluster

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	account := cluster.Account()
	var err error
	if fresh, err = cluster.Start("--nodes", "2"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	code := 1
	_, err = fresh.Kubectl(context.Background(), "apply", "-f", "e2e/suites/install/testdata/programs-end.yaml")
	if err == nil {
		code = m.Run()
	}
	if err := errors.Join(err, fresh.Stop(), account()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

// enough is more time than anything here needs.
const enough = 2 * time.Minute

// render gives the manifests that a folder makes.
func render(t *testing.T, folder string) []*unstructured.Unstructured {
	t.Helper()
	text, err := fresh.Kubectl(t.Context(), "kustomize", folder)
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, text)
}

// parse gives the objects of a text with several.
func parse(t *testing.T, text string) []*unstructured.Unstructured {
	t.Helper()
	var objects []*unstructured.Unstructured
	for document := range strings.SplitSeq("\n"+text, "\n---\n") {
		o := &unstructured.Unstructured{}
		if err := yaml.Unmarshal([]byte(document), &o.Object); err != nil {
			t.Fatal(err)
		}
		if len(o.Object) == 0 {
			continue
		}
		objects = append(objects, o)
	}
	return objects
}

// apply puts the manifests of a folder into the cluster as the README says.
func apply(t *testing.T, folder string) {
	t.Helper()
	if _, err := fresh.Kubectl(t.Context(), "apply", "--server-side", "-k", folder); err != nil {
		t.Fatal(err)
	}
}
