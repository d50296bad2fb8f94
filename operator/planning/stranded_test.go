package planning_test

import (
	"strings"
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
	"github.com/takt-dev/takt/operator/shorthand"
)

// Takt has started a job on nodes with one kind of GPUs, and these are gone. Its workers cannot come to others as they
// are, and nobody trains: it is stopped, so that it starts there. One that Takt may not stop is told why it waits, and
// keeps no GPUs from others. Its own node selector is nobody's to take away.
func TestAJobWhoseNodesAreGoneIsStoppedToStartOnOthers(t *testing.T) {
	const product, message = "nvidia.com/gpu.product", "0/1 nodes are available: 1 node(s) didn't match Pod's node " +
		"affinity/selector."
	never := func(ej *v1alpha1.ElasticJob) { ej.Spec.Interruptible = new(false) }
	held := func(j *kubeflow.PyTorchJob) {
		metav1.SetMetaDataAnnotation(&j.ObjectMeta, shorthand.HoldAnnotation, shorthand.HeldByHand(j.UID))
	}
	itsOwn := func(j *kubeflow.PyTorchJob) { delete(j.Annotations, kind.PinnedAnnotation) }
	for name, test := range map[string]struct {
		free     string
		minutes  int
		promised bool
		job      func(*kubeflow.PyTorchJob)
		ej       func(*v1alpha1.ElasticJob)
		want     []string // its Resizes
		told     string
	}{
		"for a moment":            {free: "8", minutes: 1, want: []string{"resnet 0-2"}},
		"for long":                {free: "8", minutes: 4, want: []string{"resnet 0-2", "resnet 2-0"}},
		"for long, promised":      {free: "8", minutes: 4, promised: true, want: []string{"resnet 0-2", "resnet 2-0"}},
		"room for fewer":          {free: "1", minutes: 1, want: []string{"resnet 0-2", "resnet 2-0"}},
		"it is never interrupted": {free: "8", minutes: 4, ej: never, want: []string{"resnet 0-2"}, told: "It is not to be"},
		"somebody holds it":       {free: "8", minutes: 4, job: held, want: []string{"resnet 0-2"}, told: "has set its"},
		"by its own selector":     {free: "8", minutes: 4, job: itsOwn, want: []string{"resnet 0-2"}, told: "No node"},
	} {
		t.Run(name, func(t *testing.T) {
			other := fixture.Node("node", test.free)
			other.Labels[product] = "H100"
			changes := []func(*kubeflow.PyTorchJob){func(j *kubeflow.PyTorchJob) {
				metav1.SetMetaDataAnnotation(&j.ObjectMeta, kind.PinnedAnnotation, `{"`+product+`":"A100"}`)
				worker := j.Spec.PyTorchReplicaSpecs[kubeflow.PyTorchJobReplicaTypeWorker]
				worker.Template.Spec.NodeSelector = map[string]string{product: "A100"}
			}, fixture.AskedFor(1, resize.Forward)}
			if test.job != nil {
				changes = append(changes, test.job)
			}
			job, ej := fixture.PyTorchJob("resnet", 2, changes...), fixture.ElasticJob("resnet", fixture.BestEffort)
			ej.Status.Pool = "A100"
			if test.promised {
				promise(ej, fixture.Start.Add(60*time.Hour))
			}
			if test.ej != nil {
				test.ej(ej)
			}
			objects := []client.Object{other, job, ej, fixture.ResizeOf(ej, 1, 0, 2, v1alpha1.ConditionSucceeded)}
			for i := range 2 {
				objects = append(objects, pendingWorker(job, i, message))
			}
			now, o := fixture.Start, fixture.Stopped(t, interceptor.Funcs{}, objects...)
			for range test.minutes {
				now = now.Add(time.Minute)
				o.Now = func() time.Time { return now }
				o.Planner.Now, o.View.Now, o.Reporter.Now = o.Now, o.Now, o.Now
				fixture.Plans(t, o)
				if _, err := o.Reporter.Reconcile(t.Context(), fixture.Request("resnet")); err != nil {
					t.Fatal(err)
				}
			}
			if got := fixture.ResizesOf(t, o); strings.Join(got, ", ") != strings.Join(test.want, ", ") {
				t.Errorf("its Resizes are %v", got)
			}
			said := fixture.Get(t, o, "resnet", &v1alpha1.ElasticJob{}).Status.Message
			if !strings.Contains(said, test.told) {
				t.Errorf("it is told %q", said)
			}
		})
	}
}
