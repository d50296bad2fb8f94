package reporting_test

import (
	"strings"
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/fixture"
)

// A pod that is deleted, as where its node is drained, ends the whole of an elastic job as well, if its training exits
// with 0. Where another has come in its place, or where a master says when the job is done, it has not.
func TestAJobThatADeletedPodHasEndedIsNotSaidToHaveMetItsDeadline(t *testing.T) {
	for name, c := range map[string]struct {
		ppm      int32
		after    time.Duration // that the job ends
		replaced bool
		lost     bool // the process that saw it was killed, and had written down what it knew
		master   bool
		short    bool
	}{
		"just before it ended":            {ppm: 420_000, after: 20 * time.Second, short: true},
		"and nothing is known of it":      {after: 20 * time.Second, short: true},
		"and the operator was killed":     {ppm: 420_000, after: 20 * time.Second, lost: true, short: true},
		"and it was all done":             {ppm: 1e6, after: 20 * time.Second},
		"and another came in its place":   {ppm: 420_000, after: 20 * time.Second, replaced: true},
		"long before it ended":            {ppm: 420_000, after: 5 * time.Minute},
		"and a master tells when it ends": {ppm: 420_000, after: 20 * time.Second, master: true},
	} {
		t.Run(name, func(t *testing.T) {
			job := fixture.PyTorchJob("resnet", 1, func(job *kubeflow.PyTorchJob) {
				if c.master {
					job.Spec.ElasticPolicy = nil
					job.Spec.PyTorchReplicaSpecs["Master"] = &kubeflow.ReplicaSpec{Template: fixture.OneGPU()}
				}
			})
			pod := fixture.Worker0(job, "node")
			pod.Finalizers = []string{"test/kept"} // as its container is yet to end
			o := fixture.Stopped(t, interceptor.Funcs{}, job, pod, halfWay(c.ppm),
				&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "team"}})
			saidOf(t, o, fixture.Start)
			if err := o.Client.Delete(t.Context(), pod); err != nil {
				t.Fatal(err)
			}
			saidOf(t, o, fixture.Start)
			if c.lost {
				if _, err := o.Reporter.Reconcile(t.Context(), fixture.Request("resnet")); err != nil {
					t.Fatal(err)
				}
				o = fixture.Afresh(o)
			}
			gone := fixture.Get(t, o, pod.Name, &corev1.Pod{})
			gone.Finalizers = nil
			if err := o.Client.Update(t.Context(), gone); err != nil {
				t.Fatal(err)
			}
			if c.replaced {
				next := fixture.Worker0(job, "node")
				next.UID = "another"
				if err := o.Client.Create(t.Context(), next); err != nil {
					t.Fatal(err)
				}
				saidOf(t, o, fixture.Start.Add(10*time.Second))
			}
			said := saidAsItEnds(t, o, c.after)
			if (said.Verdict == v1alpha1.VerdictMet) == c.short || strings.Contains(said.Message,
				"while somebody deleted its pod resnet-worker-0 or drained the node of that") != c.short {
				t.Errorf("it is said to be %s: %s", said.Verdict, said.Message)
			}
		})
	}
}
