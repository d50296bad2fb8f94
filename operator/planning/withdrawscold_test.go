package planning_test

import (
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/kind/written"
	"github.com/takt-dev/takt/operator/view"
)

// A job stops in order to grow into GPUs that nobody needs, and somebody comes who does. As long as its old workers
// leave, it costs it nothing more to fixture.Start with as many as it had.
func TestAGrowthGivesWayWhileItsJobStops(t *testing.T) {
	for name, c := range map[string]struct {
		stops, comes bool
		want         bool
	}{
		"it stops, and somebody comes":              {stops: true, comes: true, want: true},
		"it stops, and nobody comes":                {stops: true},
		"it has been asked for more, and they come": {comes: true},
	} {
		t.Run(name, func(t *testing.T) {
			ej := fixture.ElasticJob("resnet", fixture.BestEffort)
			r := fixture.ResizeOf(ej, 1, 2, 8, v1alpha1.ConditionCommitted)
			r.Spec.Mode, r.CreationTimestamp = v1alpha1.ResizeCold, metav1.NewTime(fixture.Start.Add(-10*time.Second))
			job := fixture.PyTorchJob("resnet", 2, func(job *kubeflow.PyTorchJob) {
				ask := resize.Ask{Epoch: 1, Stage: resize.Forward, Workers: 2, Suspended: c.stops, At: fixture.Start}
				if !c.stops {
					ask.Workers = 8
					job.Spec.PyTorchReplicaSpecs[kubeflow.PyTorchJobReplicaTypeWorker].Replicas = new(int32(8))
				}
				text, err := written.EncodeAsk(job.UID, ask, written.Before{Size: 2})
				if err != nil {
					t.Fatal(err)
				}
				metav1.SetMetaDataAnnotation(&job.ObjectMeta, kind.AskAnnotation, text)
				job.Spec.RunPolicy.Suspend = new(c.stops)
			})
			objects := []client.Object{fixture.Node("node", "8"), job, ej, r}
			if c.comes {
				late := metav1.NewTime(fixture.Start.Add(-4 * time.Second))
				other := fixture.PyTorchJob("other", 4, fixture.SuspendedAtFirst)
				of := fixture.ElasticJob("other", fixture.BestEffort)
				other.CreationTimestamp, of.CreationTimestamp = late, late
				objects = append(objects, other, of)
			}
			o := fixture.Stopped(t, interceptor.Funcs{}, objects...)
			fixture.Plans(t, o)
			r = fixture.Get(t, o, r.Name, &v1alpha1.Resize{})
			if why := r.Annotations[view.WithdrawnAnnotation]; (why != "") != c.want {
				t.Errorf("its growth is withdrawn: %q, want %t", why, c.want)
			}
		})
	}
}
