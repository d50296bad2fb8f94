package operator

import (
	"encoding/json"
	"os"
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
)

func debugShrinks(t *testing.T, l *loop) {
	l.z.Server.Watch(func(before, after client.Object) {
		if r, is := after.(*v1alpha1.Resize); is && before == nil && (r.Spec.To < r.Spec.From || os.Getenv("ALL") != "") {
			p := l.o.planner
			sc, err := p.observe(t.Context())
			if err != nil {
				t.Log(err)
				return
			}
			text, _ := json.MarshalIndent(sc.snapshot, "", " ")
			name := "/tmp/dump/" + l.z.Clock.Now().Sub(start).String() + "-" + r.Name + ".json"
			os.WriteFile(name, text, 0o644)
		}
	})
}
