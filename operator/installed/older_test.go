package installed

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr/funcr"
	"k8s.io/client-go/rest"
)

// An operator beside kinds that are older than itself says so, and goes on.
func TestItIsSaidWhatOlderKindsLack(t *testing.T) {
	const none = `{"components": {"schemas": {"dev.takt.v1alpha1.Resize": {
		"x-kubernetes-group-version-kind": [{"group": "takt.dev", "kind": "Resize", "version": "v1alpha1"}],
		"properties": {"spec": {"properties": {"from": {}}}}}}}}`
	for name, test := range map[string]struct {
		code int
		body string
		says []string
	}{
		"older":       {http.StatusOK, none, []string{"are older than this operator", "ElasticJob.spec.", "config/crd"}},
		"forbidden":   {http.StatusForbidden, "", []string{"Nobody can tell"}},
		"no document": {http.StatusOK, "<html>", []string{"Nobody can tell"}},
	} {
		t.Run(name, func(t *testing.T) {
			asked := ""
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked = r.URL.Path
				w.WriteHeader(test.code)
				_, _ = w.Write([]byte(test.body))
			}))
			defer server.Close()
			var said strings.Builder
			log := funcr.New(func(_, line string) { said.WriteString(line + "\n") }, funcr.Options{Verbosity: 1})
			o, err := NewOlder(&rest.Config{Host: server.URL}, server.Client(), log)
			if err != nil {
				t.Fatal(err)
			}
			o.Pause = func(context.Context, time.Duration) error { return nil }
			if err := o.Start(t.Context()); err != nil {
				t.Fatal(err)
			}
			if asked != "/openapi/v3/apis/takt.dev/v1alpha1" {
				t.Errorf("it asked for %s", asked)
			}
			for _, want := range test.says {
				if !strings.Contains(said.String(), want) {
					t.Errorf("%q is not in\n%s", want, &said)
				}
			}
		})
	}
}
