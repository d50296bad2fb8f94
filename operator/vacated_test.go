package operator

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

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/rooms"
)

// fourWorkers are those of a job, on a node.
func fourWorkers(job *kubeflow.PyTorchJob, change ...func(*corev1.Pod)) []client.Object {
	var pods []client.Object
	for i := range 4 {
		pod := worker0(job, "node")
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
	pod.DeletionTimestamp, pod.Finalizers = &metav1.Time{Time: start.Add(30 * time.Second)}, []string{"test/runs"}
}

// ofNobody makes a pod one that Takt does not look after.
func ofNobody(pod *corev1.Pod) { pod.Labels, pod.OwnerReferences = nil, nil }

// resizesOf are all changes of size that were ever begun, as JOB FROM-TO.
func resizesOf(t *testing.T, o *rooms.Rooms) []string {
	t.Helper()
	var all v1alpha1.ResizeList
	if err := o.Client.List(t.Context(), &all); err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, r := range all.Items {
		list = append(list, fmt.Sprintf("%s %d-%d", r.Spec.ElasticJob, r.Spec.From, r.Spec.To))
	}
	return list
}

// While the pods of a job that was deleted are about to be gone, nobody gives back GPUs in their place: a newcomer
// waits for these, and starts once they are free.
func TestWhatIsVacatedIsComing(t *testing.T) {
	for name, whose := range map[string]func(*corev1.Pod){
		"by a job that was deleted": func(*corev1.Pod) {}, "by pods that Takt does not look after": ofNobody,
	} {
		t.Run(name, func(t *testing.T) {
			gone, runs := pytorchJob("gone", 4), pytorchJob("runs", 4)
			vacated := fourWorkers(gone, whose, vacating)
			objects := append(slices.Clone(vacated), gpuNode("node", "8"), runs, elasticJob("runs"), elasticJob("waits"),
				pytorchJob("waits", 1, suspendedAtFirst))
			o := stopped(t, interceptor.Funcs{}, append(objects, fourWorkers(runs)...)...)
			plan := func() {
				t.Helper()
				if _, err := o.Planner.Plan(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if plan(); len(resizesOf(t, o)) > 0 {
				t.Fatalf("before the pods are gone: %v", resizesOf(t, o))
			}
			if waits := o.Memory.Of("job-waits", start, unseen).HinderedBy(); waits.Reason != memory.ReasonNotFree {
				t.Errorf("it waits for the reason %+v", waits)
			}
			for _, pod := range vacated {
				pod = get(t, o, pod.GetName(), &corev1.Pod{})
				if pod.SetFinalizers(nil); o.Client.Update(t.Context(), pod) != nil {
					t.Fatal("a pod does not go")
				}
			}
			if plan(); len(resizesOf(t, o)) != 1 || resizesOf(t, o)[0][:5] != "waits" {
				t.Errorf("once they are gone: %v", resizesOf(t, o))
			}
		})
	}
}

// Pods that take the place of others take nothing from jobs, though those that go are still there.
func TestARolloutOfPodsTakesNothingFromJobs(t *testing.T) {
	runs := pytorchJob("runs", 4)
	objects := append(fourWorkers(pytorchJob("server", 4), ofNobody, vacating), gpuNode("node", "8"), runs,
		elasticJob("runs"))
	for i := range 4 {
		pod := outsider(fmt.Sprintf("next-%d", i))
		pod.UID = types.UID(pod.Name)
		objects = append(objects, pod)
	}
	o := stopped(t, interceptor.Funcs{}, append(objects, fourWorkers(runs)...)...)
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
	if has != 4 || len(resizesOf(t, o)) > 0 {
		t.Errorf("jobs have %d GPUs, want 4 as before; %v", has, resizesOf(t, o))
	}
}
