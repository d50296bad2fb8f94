package planning_test

import (
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/shorthand"
	"github.com/takt-dev/takt/operator/view"
)

// Somebody sees that a job is about to be stopped or restarted, and says that it must not be: as long as no worker was
// told to go, it is not.
func TestAJobThatIsNotToChangeAnyMoreGivesUpItsChange(t *testing.T) {
	const says, holds, slips = "it is not to be interrupted", "it is held", "it may be held"
	for name, test := range map[string]struct {
		to        int32
		mode      v1alpha1.ResizeMode
		said      string
		condition string
		want      bool
	}{
		"to be smaller, not to be interrupted": {2, v1alpha1.ResizeCold, says, v1alpha1.ConditionProposed, true},
		"to stop, not to be interrupted":       {0, v1alpha1.ResizeCold, says, v1alpha1.ConditionProposed, true},
		"to grow, not to be interrupted":       {8, v1alpha1.ResizeLive, says, v1alpha1.ConditionPlaced, true},
		"to be smaller, held":                  {2, v1alpha1.ResizeCold, holds, v1alpha1.ConditionProposed, true},
		"to stop, held":                        {0, v1alpha1.ResizeCold, holds, v1alpha1.ConditionProposed, true},
		"to grow, held":                        {8, v1alpha1.ResizeLive, holds, v1alpha1.ConditionPlaced, true},
		"to be smaller, too late":              {2, v1alpha1.ResizeCold, says, v1alpha1.ConditionCommitted, false},
		"to be smaller, may be held":           {2, v1alpha1.ResizeCold, slips, v1alpha1.ConditionProposed, true},
		"to grow, and nobody minds":            {8, v1alpha1.ResizeLive, "", v1alpha1.ConditionPlaced, false},
	} {
		t.Run(name, func(t *testing.T) {
			ej := fixture.ElasticJob("resnet", fixture.BestEffort)
			job := fixture.PyTorchJob("resnet", 4)
			switch test.said {
			case says:
				ej.Spec.Interruptible = new(false)
			case holds:
				metav1.SetMetaDataAnnotation(&job.ObjectMeta, shorthand.HoldAnnotation, "")
			case slips:
				job.Labels = map[string]string{shorthand.HoldAnnotation: ""}
			}
			r := fixture.ResizeOf(ej, 1, 4, test.to, test.condition)
			r.Spec.Mode, r.CreationTimestamp = test.mode, metav1.NewTime(fixture.Start.Add(-10*time.Second))
			if test.mode == v1alpha1.ResizeLive {
				job.Spec.PyTorchReplicaSpecs[kubeflow.PyTorchJobReplicaTypeWorker].Replicas = new(int32(8))
			}
			objects := []client.Object{fixture.Node("node", "8"), job, ej, r}
			for _, pod := range fixture.WorkersOf(job, 4, "node") {
				objects = append(objects, pod)
			}
			o := fixture.Stopped(t, interceptor.Funcs{}, objects...)
			for range 2 {
				fixture.Plans(t, o)
			}
			r = fixture.Get(t, o, r.Name, &v1alpha1.Resize{})
			if why := r.Annotations[view.WithdrawnAnnotation]; (why != "") != test.want {
				t.Errorf("its change is withdrawn: %q, want %t", why, test.want)
			} else if why != "" {
				t.Log(why)
			}
		})
	}
}
