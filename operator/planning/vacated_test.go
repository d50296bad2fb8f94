package planning_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/memory"
)

// fourWorkers are those of a job, on a node.
func fourWorkers(job *kubeflow.PyTorchJob, change ...func(*corev1.Pod)) []client.Object {
	var pods []client.Object
	for i := range 4 {
		pod := fixture.Worker0(job, "node")
		pod.Name, pod.UID = fmt.Sprintf("%s-worker-%d", job.Name, i), types.UID(fmt.Sprintf("pod-%s-%d", job.Name, i))
		pod.Labels[kubeflow.ReplicaIndexLabel] = fmt.Sprint(i)
		for _, f := range change {
			f(pod)
		}
		pods = append(pods, pod)
	}
	return pods
}

// vacating has a pod end in half a minute at the latest.
func vacating(pod *corev1.Pod) {
	pod.DeletionTimestamp, pod.Finalizers = &metav1.Time{Time: fixture.Start.Add(30 * time.Second)}, []string{"test/runs"}
}

// ofNobody makes a pod one that Takt does not look after.
func ofNobody(pod *corev1.Pod) { pod.Labels, pod.OwnerReferences = nil, nil }

// While the pods of a job that was deleted are about to be gone, nobody gives back GPUs in their place: a newcomer
// waits for these, and starts once they are free.
func TestWhatIsVacatedIsComing(t *testing.T) {
	for name, whose := range map[string]func(*corev1.Pod){
		"by a job that was deleted": func(*corev1.Pod) {}, "by pods that Takt does not look after": ofNobody,
	} {
		t.Run(name, func(t *testing.T) {
			gone, runs := fixture.PyTorchJob("gone", 4), fixture.PyTorchJob("runs", 4)
			vacated := fourWorkers(gone, whose, vacating)
			objects := append(slices.Clone(vacated), fixture.Node("node", "8"), runs, fixture.ElasticJob("runs"),
				fixture.ElasticJob("waits"),
				fixture.PyTorchJob("waits", 1, fixture.SuspendedAtFirst))
			o := fixture.Stopped(t, interceptor.Funcs{}, append(objects, fourWorkers(runs)...)...)
			plan := func() {
				t.Helper()
				if _, err := o.Planner.Plan(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if plan(); len(fixture.ResizesOf(t, o)) > 0 {
				t.Fatalf("before the pods are gone: %v", fixture.ResizesOf(t, o))
			}
			if waits := o.Memory.Of("job-waits", fixture.Start,
				fixture.Unseen).HinderedBy(); waits.Reason != memory.ReasonNotFree {
				t.Errorf("it waits for the reason %+v", waits)
			}
			for _, pod := range vacated {
				pod = fixture.Get(t, o, pod.GetName(), &corev1.Pod{})
				if pod.SetFinalizers(nil); o.Client.Update(t.Context(), pod) != nil {
					t.Fatal("a pod does not go")
				}
			}
			if plan(); len(fixture.ResizesOf(t, o)) != 1 || fixture.ResizesOf(t, o)[0][:5] != "waits" {
				t.Errorf("once they are gone: %v", fixture.ResizesOf(t, o))
			}
		})
	}
}

// Pods that take the place of others take nothing from jobs, though those that go are still there.
func TestARolloutOfPodsTakesNothingFromJobs(t *testing.T) {
	runs := fixture.PyTorchJob("runs", 4)
	objects := append(fourWorkers(fixture.PyTorchJob("server", 4), ofNobody, vacating), fixture.Node("node", "8"), runs,
		fixture.ElasticJob("runs"))
	for i := range 4 {
		pod := fixture.Outsider(fmt.Sprintf("next-%d", i))
		pod.UID = types.UID(pod.Name)
		objects = append(objects, pod)
	}
	o := fixture.Stopped(t, interceptor.Funcs{}, append(objects, fourWorkers(runs)...)...)
	if _, err := o.Planner.Plan(t.Context()); err != nil {
		t.Fatal(err)
	}
	has := elastic.GPUs(0)
	for _, n := range o.Last.Load().Nodes {
		has += n.GPUs
	}
	for _, d := range o.Last.Load().Demands {
		has -= d.GPUs
	}
	if has != 4 || len(fixture.ResizesOf(t, o)) > 0 {
		t.Errorf("jobs have %d GPUs, want 4 as before; %v", has, fixture.ResizesOf(t, o))
	}
}
