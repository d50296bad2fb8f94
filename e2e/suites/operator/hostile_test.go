package operator

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/cluster"
	"github.com/takt-dev/takt/e2e/lib/extent"
	"github.com/takt-dev/takt/e2e/lib/schedulerprocess"
	"github.com/takt-dev/takt/e2e/lib/training"
	"github.com/takt-dev/takt/e2e/lib/world"
)

// A tenant who changes his deadlines all the time, lies about how far his jobs are, has pods that never answer, and
// makes pods that call themselves gangs, costs nobody else a deadline, and nobody else is resized all the time for him.
//
// Each of his jobs is changed again only once the API server has answered. Of a hundred changes a second that were
// wanted there were 39, and 30 with a hundred jobs instead of eight: more writers have each waited longer. What follows
// from a change in the API server, etcd, the operators and the test shares two processors, and those are the limit.
func TestAHostileTenantCostsNobodyElseADeadline(t *testing.T) {
	t.Parallel()
	aSecond := extent.Of(10, 100)
	h := hanging(t)
	hostile := world.New(t, world.Options{})
	w := world.New(t, beside(hostile))
	w.Nodes(2, 8)
	queue := w.Queue("humble", v1alpha1.TrainingQueueSpec{Guaranteed: new(int32(8))})
	his := make([]*unstructured.Unstructured, 8)
	for i := range his {
		his[i] = w.PyTorchJob(fmt.Sprintf("hostile-%d", i), world.Job{
			Still: true, Suspended: true, Workers: 2, Max: 8, Deadline: "1h",
			Change: func(job *unstructured.Unstructured) {
				job.SetNamespace(hostile.Namespace)
				scraped(h.port)(job)
				scheduledBy(t, w)(job)
			},
		})
	}
	forge(t, w, hostile)
	schedulerprocess.Start(t, schedulerprocess.Options{Cluster: cluster.Shared(), Name: w.Namespace,
		Change: []func(config, args schedulerprocess.Object){
			func(_, args schedulerprocess.Object) { args["gangs"].(schedulerprocess.Object)["orphan"] = "1s" },
		}})
	var harassing sync.WaitGroup
	var changes atomic.Int32
	began, over := time.Now(), make(chan struct{})
	defer func() {
		close(over)
		harassing.Wait()
		took := time.Since(began)
		t.Logf("he has made %d changes in %v, %.1f a second, of %d wanted", changes.Load(), took,
			float64(changes.Load())/took.Seconds(), aSecond)
		if changes.Load() < 100 {
			t.Error("too few: this proves little")
		}
	}()
	every := time.Second * time.Duration(len(his)) / time.Duration(aSecond)
	for i, job := range his {
		harassing.Go(func() { harass(t, w.Client, job, rand.New(rand.NewPCG(1, uint64(i))), every, &changes, over) })
	}
	humble := map[string]world.Job{
		"planned": {
			Suspended: true, Max: 4, Deadline: "10m", Training: world.Steps(1600, training.Speed{Base: 10, Scaling: 0.9}),
		},
		"promised": {Suspended: true, Max: 4, Deadline: "10m", Guarantee: "Promise",
			Training: world.Steps(1600, training.Speed{Base: 10, Scaling: 0.9})},
		"cold": {Suspended: true, Max: 4, Deadline: "10m", Cold: true, Training: world.Steps(1600, training.Speed{
			Base: 10, Scaling: 0.9,
		})},
	}
	for name, job := range humble {
		job.Queue, job.Change = queue, scheduledBy(t, w)
		w.PyTorchJob(name, job)
	}
	for name := range humble {
		w.Eventually(name+" is in time", 11*time.Minute, func() error {
			return world.Want("verdict", w.Job(name).Status.Verdict, v1alpha1.VerdictMet)
		})
		const many = 8
		if n := len(w.Resizes(name)); n > many {
			t.Errorf("%s was resized %d times", name, n)
		}
	}
}

// scheduledBy is a change of a PyTorchJob: its workers are for the scheduler of a world.
func scheduledBy(t *testing.T, w *world.World) func(*unstructured.Unstructured) {
	return func(job *unstructured.Unstructured) {
		path := []string{"spec", "pytorchReplicaSpecs", "Worker", "template", "spec", "schedulerName"}
		if err := unstructured.SetNestedField(job.Object, w.Namespace, path...); err != nil {
			t.Fatal(err)
		}
	}
}

// forge makes pods of a hostile tenant that call themselves gangs: of a Resize that is his, of twenty kinds, and many
// that must not be beside each other, which fit nowhere.
func forge(t *testing.T, w, hostile *world.World) {
	t.Helper()
	forged := func(job string, pods, gpus int, peculiar func(i int, pod *corev1.Pod)) {
		for i := range pods {
			w.PlainPod(fmt.Sprintf("%s-forged-%d", job, i), gpus, func(pod *corev1.Pod) {
				pod.Namespace, pod.Spec.SchedulerName = hostile.Namespace, w.Namespace
				schedulerprocess.Member(t, pod, job, i, v1alpha1.Gang{Epoch: 1, Pods: int32(pods)})
				peculiar(i, pod)
			})
		}
	}
	forged("hostile-0", 4, 1, func(int, *corev1.Pod) {})
	forged("kinds", 20, 0, func(i int, pod *corev1.Pod) {
		pod.Spec.Containers[0].Resources.Requests = corev1.ResourceList{
			corev1.ResourceCPU: *resource.NewMilliQuantity(int64(1+i), resource.DecimalSI),
		}
	})
	forged("apart", 60, 0, func(_ int, pod *corev1.Pod) {
		apart := &corev1.PodAntiAffinity{}
		apart.RequiredDuringSchedulingIgnoredDuringExecution = []corev1.PodAffinityTerm{{
			LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{v1alpha1.ElasticJobLabel: "apart"}},
			TopologyKey:   corev1.LabelHostname,
		}}
		pod.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: apart}
	})
}

// harass changes what is written on a job, again and again, and counts how often it has.
func harass(t *testing.T, c client.Client, job *unstructured.Unstructured, random *rand.Rand, every time.Duration,
	changes *atomic.Int32, over <-chan struct{}) {
	deadlines := []string{"30s", "2m", "10m", "1h", "3h", "2d", "never"}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-over:
			return
		case <-tick.C:
		}
		patch := fmt.Appendf(nil, `{"metadata":{"annotations":{"takt.dev/deadline":%q,"takt.dev/progress":"%d/1000 steps"}}}`,
			deadlines[random.IntN(len(deadlines))], random.IntN(1001))
		err := c.Patch(t.Context(), job.DeepCopy(), client.RawPatch("application/merge-patch+json", patch))
		if err != nil && !apierrors.IsConflict(err) && t.Context().Err() == nil {
			t.Errorf("harassing: %v", err)
			return
		}
		changes.Add(1)
	}
}
