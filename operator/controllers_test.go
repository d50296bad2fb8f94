package operator

import (
	"net/http"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/takt-dev/takt/operator/fixture"
)

// Whatever a controller lacks is found out before there is a cluster.
func TestTheControllersCanBeBuilt(t *testing.T) {
	scheme, err := fixture.FewKinds()
	if err != nil {
		t.Fatal(err)
	}
	r := fixture.Stopped(t, interceptor.Funcs{})
	m, err := manager.New(&rest.Config{Host: "http://nowhere.invalid"}, manager.Options{
		Scheme: scheme, Metrics: server.Options{BindAddress: "0"},
		MapperProvider: func(*rest.Config, *http.Client) (meta.RESTMapper, error) {
			return r.Client.RESTMapper(), nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	o := newOperator(m, r)
	if err := o.controllers(); err != nil {
		t.Fatal(err)
	}
	if o.watching.reporter == nil || o.watching.reader == nil || o.watching.resizer == nil {
		t.Error("a controller that is to watch kinds of jobs is not at hand")
	}
}
