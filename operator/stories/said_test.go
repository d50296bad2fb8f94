package stories

import (
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/invariant"
)

// says holds all that is written of a job or a resize in the zoo to what must hold of it on a cluster.
func (l *loop) says(before, after client.Object) {
	if l.forged {
		return
	}
	var wrong []string
	switch now := after.(type) {
	case *v1alpha1.ElasticJob:
		was, _ := before.(*v1alpha1.ElasticJob)
		wrong = invariant.ElasticJob(was, now)
	case *v1alpha1.Resize:
		was, _ := before.(*v1alpha1.Resize)
		wrong = invariant.Resize(was, now)
	}
	for _, violation := range wrong {
		l.t.Errorf("at %s: %s", l.z.Clock.Now().UTC().Format("15:04:05"), violation)
	}
}
