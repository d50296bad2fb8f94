package planning_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/fixture"
)

// A policy may add tolerations to pods as they are created, which their template does not have. Such a job trains on
// nodes with a taint, and would not be started there again: it is not stopped, whoever needs its GPUs.
func TestAJobThatCouldNotReturnToItsNodesIsNotStopped(t *testing.T) {
	tolerates := []corev1.Toleration{{Operator: corev1.TolerationOpExists}}
	for name, test := range map[string]struct {
		template  bool
		elsewhere bool // it could start on another node
		want      bool // whether it gives way
	}{
		"by its pods alone":                      {},
		"by its template":                        {template: true, want: true},
		"by its pods alone, and others would do": {elsewhere: true, want: true},
	} {
		t.Run(name, func(t *testing.T) {
			job := fixture.PyTorchJob("resnet", 8, fixture.ResizedByRestart)
			urgent := fixture.PyTorchJob("urgent", 8, fixture.ResizedByRestart, fixture.SuspendedAtFirst)
			if test.template {
				job.Spec.PyTorchReplicaSpecs["Worker"].Template.Spec.Tolerations = tolerates
			}
			urgent.Spec.PyTorchReplicaSpecs["Worker"].Template.Spec.Tolerations = tolerates
			fixed := func(ej *v1alpha1.ElasticJob) {
				ej.Spec.Workers.Min, ej.Spec.Workers.Max = new(int32(8)), new(int32(8))
			}
			first := func(ej *v1alpha1.ElasticJob) { ej.Spec.Priority = new(int32(1000)) }
			objects := []client.Object{withTaint(fixture.Node("node", "8"), "dedicated", corev1.TaintEffectNoSchedule), job,
				urgent, fixture.ElasticJob("resnet", fixture.BestEffort, fixed),
				fixture.ElasticJob("urgent", fixture.BestEffort, fixed, first)}
			if test.elsewhere {
				objects = append(objects, fixture.Node("other", "1"))
			}
			for _, pod := range fixture.WorkersOf(job, 8, "node") {
				pod.Spec.Tolerations = tolerates
				objects = append(objects, pod)
			}
			o := fixture.Stopped(t, interceptor.Funcs{}, objects...)
			fixture.Plans(t, o)
			if _, err := o.Reporter.Reconcile(t.Context(), fixture.Request("resnet")); err != nil {
				t.Fatal(err)
			}
			planned := 0
			for _, of := range o.Last.Load().Jobs {
				if of.Name == "team/resnet" {
					planned++
				}
			}
			said := fixture.Get(t, o, "resnet", &v1alpha1.ElasticJob{}).Status.Message
			kept := strings.Contains(said, "Once stopped it would not start again")
			if resizes := fixture.ResizesOf(t, o); (planned == 1) != test.want || kept == test.want {
				t.Errorf("it is planned %d times: %v; it is told %q", planned, resizes, said)
			}
		})
	}
}
