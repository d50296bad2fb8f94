package resizing_test

import (
	"strings"
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/wrapping"
)

// Of a job that trains it is known, too, whether its new pods are refused, or whether nobody makes them.
func TestWhyAJobThatTrainsGetsNoNewPods(t *testing.T) {
	for name, test := range map[string]struct {
		event string
		want  resize.Reason
		says  string
	}{
		"they are refused": {"exceeded quota: gpus", resize.PodsMissing, `says: "exceeded quota: gpus".`},
		"nobody says why":  {"", resize.NobodyAnswered, "See that training-operator runs"},
	} {
		t.Run(name, func(t *testing.T) {
			ej, job := fixture.ElasticJob("resnet"), fixture.PyTorchJob("resnet", 3)
			r := fixture.ResizeOf(ej, 3, 3, 4)
			objects := append(wrappedWorkers(job, 3, "2", letInFor2), ej, job, r, fixture.Node("node", "8"))
			o := fixture.Stopped(t, interceptor.Funcs{}, objects...)
			step(t, o, "resnet-3")
			if test.event != "" {
				fixture.SaysUnmade(t, o, job, test.event, fixture.Start.Add(time.Minute))
			}
			for _, at := range []time.Duration{time.Minute, 2 * time.Minute} {
				o.Now = func() time.Time { return fixture.Start.Add(at) }
				step(t, o, "resnet-3")
			}
			back := meta.FindStatusCondition(fixture.Get(t, o, "resnet-3", &v1alpha1.Resize{}).Status.Conditions,
				v1alpha1.ConditionRollingBack)
			if back == nil || back.Reason != string(test.want) || !strings.Contains(back.Message, test.says) {
				t.Errorf("it goes back: %+v, want %s", back, test.want)
			}
		})
	}
}

// What is said of the pods of a start comes late in a cluster where much is said, and is hardly said again. It holds
// for the starts that follow, up to one for which pods came.
func TestAStartIsToldWhatWasSaidOfTheOneBefore(t *testing.T) {
	const said = `admission webhook "pods.example.com" denied the request: no other containers`
	for name, test := range map[string]struct {
		before resize.Reason
		ended  string
		ago    time.Duration
		want   string
	}{
		"nobody had answered":       {resize.NobodyAnswered, v1alpha1.ConditionRolledBack, 2 * time.Minute, said},
		"its pods did not come":     {resize.PodsMissing, v1alpha1.ConditionRolledBack, 2 * time.Minute, said},
		"that is long ago":          {resize.PodsMissing, v1alpha1.ConditionRolledBack, time.Hour, ""},
		"it had begun":              {"Because", v1alpha1.ConditionSucceeded, 2 * time.Minute, ""},
		"there was no room":         {resize.NothingFits, v1alpha1.ConditionRolledBack, 2 * time.Minute, ""},
		"somebody has withdrawn it": {resize.Withdrawn, v1alpha1.ConditionRolledBack, 2 * time.Minute, ""},
	} {
		t.Run(name, func(t *testing.T) {
			ej, job := fixture.ElasticJob("resnet"), fixture.PyTorchJob("resnet", 2, withCommand, fixture.SuspendedAtFirst)
			before := fixture.ResizeOf(ej, 1, 0, 2, test.ended)
			before.CreationTimestamp = metav1.NewTime(fixture.Start.Add(-test.ago))
			before.Status.Conditions[0].Reason = string(test.before)
			o := fixture.Stopped(t, interceptor.Funcs{}, ej, job, before, fixture.ResizeOf(ej, 2, 0, 2),
				fixture.Node("node", "8"))
			o.Settings.Agent.Image = agentImage
			o.Furnish()
			step(t, o, "resnet-2")
			fixture.SaysUnmade(t, o, job, said, fixture.Start.Add(-time.Minute))
			o.Now = func() time.Time { return fixture.Start.Add(90 * time.Second) }
			step(t, o, "resnet-2")
			got := fixture.Get(t, o, "resnet", &kubeflow.PyTorchJob{})
			if fault, _ := wrapping.DecodeFault(got.UID, got.Annotations[wrapping.FaultAnnotation]); fault.Said != test.want {
				t.Errorf("the agent could not be installed: %q, want %q", fault.Said, test.want)
			}
		})
	}
}

// Whatever refuses pods as they are written would refuse those without the agent as well.
func TestOnlyWhoForbidsPodsWithTheAgentHasAJobStartWithoutIt(t *testing.T) {
	for _, test := range []struct {
		without bool
		said    string
	}{
		{true, `pods "resnet-worker-0" is forbidden: violates PodSecurity "restricted:latest": runAsNonRoot != true`},
		{true, `pods "resnet-worker-0" is forbidden: ValidatingAdmissionPolicy 'few' with binding 'few' denied request`},
		{true, `Pod "resnet-worker-0" is invalid: spec.initContainers[0].image: Required value`},
		{true, `admission webhook "pods.example.com" denied the request without explanation`},
		{false, `pods "resnet-worker-0" is forbidden: exceeded quota: gpus, requested: 1, used: 8, limited: 8`},
		{false, `pods "resnet-worker-0" is forbidden: unable to create new content in namespace team because it is ` +
			`being terminated`},
		{false, `pods "resnet-worker-0" is forbidden: error looking up service account team/train: not found`},
		{false, `Internal error occurred: failed calling webhook "pods.example.com": connect: connection refused`},
		{false, `Timeout: request did not complete within requested timeout - context deadline exceeded`},
	} {
		t.Run(test.said, func(t *testing.T) {
			ej, job := fixture.ElasticJob("resnet"), fixture.PyTorchJob("resnet", 2, withCommand, fixture.SuspendedAtFirst)
			o := fixture.Stopped(t, interceptor.Funcs{}, ej, job, fixture.ResizeOf(ej, 1, 0, 2), fixture.Node("node", "8"))
			o.Settings.Agent.Image = agentImage
			o.Furnish()
			step(t, o, "resnet-1")
			fixture.SaysUnmade(t, o, job, test.said, fixture.Start.Add(time.Second))
			o.Now = func() time.Time { return fixture.Start.Add(90 * time.Second) }
			step(t, o, "resnet-1")
			got := fixture.Get(t, o, "resnet", &kubeflow.PyTorchJob{})
			fault, without := wrapping.DecodeFault(got.UID, got.Annotations[wrapping.FaultAnnotation])
			if without != test.without {
				t.Errorf("the agent could not be installed: %+v, want %t", fault, test.without)
			}
		})
	}
}
