package scheduler

import (
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/extent"
	"github.com/takt-dev/takt/e2e/lib/world"
)

// A tenant makes pods that call themselves gangs, in every way that is known to hurry others or to keep the scheduler
// busy, before anybody else comes. Plain pods do not wait for them, a gang that is due is placed before them, and in
// the end they are placed as anybody is.
func TestSchedulerIsNotHurriedByForgedPods(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{})
	w.Nodes(1, 16)
	w.Nodes(7, 0)
	s := scheduled(t, w, func(_, args object) { args["gangs"].(object)["orphan"] = "1s" })
	plain(w, "holder", 16)
	w.Eventually("nobody else has a GPU", world.Soon, func() error { return onNode(w, "holder") })

	s.Kill() // so that each gang is whole when it is first seen
	forged := forge(t, w)
	s.Start()
	for job, said := range map[string]string{
		"nameless": "0 of 4 new pods fit", "ended": "The new pod does not fit", "swollen": "0 of 2 new pods fit",
		"kinds": "more than 16 different things", "apart": fmt.Sprintf("8 of %d new pods fit", manyApart()),
	} {
		w.Eventually(job+" is tried in vain", world.Soon, func() error { return says(t, w, job, said) })
	}
	for i := range 10 {
		plain(w, fmt.Sprintf("plain-%d", i), 0)
	}
	for i := range 10 {
		name := fmt.Sprintf("plain-%d", i)
		w.Eventually(name+" does not wait for them", world.Soon, func() error { return onNode(w, name) })
	}
	soon := func(r *v1alpha1.Resize) { r.Spec.StartBy = v1alpha1.NewTime(time.Now().Add(time.Minute)) }
	due := gang(t, w, change{job: "due", to: 8, gpus: 2, resize: []func(*v1alpha1.Resize){soon}})
	told(w, due, 0)
	s.Kill() // so that all are in its queue when it looks: one that was tried a moment ago comes a little later
	remove(t, w, "holder")
	s.Start()
	placed(w, due) // it needs every GPU: none of them was before it
	t.Logf("%v gangs were tried, which took %v s", s.Metric("takt_scheduler_gang_trial_seconds_count"),
		s.Metric("takt_scheduler_gang_trial_seconds_sum"))
	for _, c := range forged {
		if n := bound(w, c); n > 0 {
			t.Errorf("%d pods of %s are bound", n, c.job)
		}
	}
	end(t, w, due)
	for _, c := range forged {
		placed(w, c)
	}
	neverInPart(t, w, due)
}

// manyApart is how many pods there are that must not be beside each other.
func manyApart() int { return extent.Of(60, 500) }

// forge makes all the pods that are none of a resize, and says which have room once GPUs are free.
func forge(t *testing.T, w *world.World) []change {
	t.Helper()
	hurried := func(r *v1alpha1.Resize) {
		r.Spec.Priority = new(int32(9))
		r.Spec.StartBy, r.Spec.WaitingSince = v1alpha1.NewTime(time.Now().Add(-time.Hour)),
			v1alpha1.NewTime(time.Now().Add(-24*time.Hour))
	}
	forged := func(c change, pods int, peculiar func(i int, pod *corev1.Pod)) {
		for i := range pods {
			one := c
			one.pod = []func(*corev1.Pod){func(pod *corev1.Pod) { peculiar(i, pod) }}
			one.makePod(w, i)
		}
	}
	alike := func(int, *corev1.Pod) {}

	ended := change{job: "ended", to: 4, resize: []func(*v1alpha1.Resize){hurried}}
	propose(t, w, &ended)
	succeed(t, w, ended)
	forged(ended, 4, alike)

	swollen := change{job: "swollen", to: 2, resize: []func(*v1alpha1.Resize){hurried}}
	propose(t, w, &swollen)
	forged(swollen, 6, alike)

	nameless := change{t: t, job: "nameless", epoch: 1, to: 4, gpus: 1}
	forged(nameless, 4, alike)
	forged(change{t: t, job: "kinds", epoch: 1, to: 20}, 20, func(i int, pod *corev1.Pod) {
		pod.Spec.Containers[0].Resources.Requests = corev1.ResourceList{
			corev1.ResourceCPU: *resource.NewMilliQuantity(int64(1+i), resource.DecimalSI),
		}
	})
	forged(change{t: t, job: "apart", epoch: 1, to: manyApart()}, manyApart(), func(_ int, pod *corev1.Pod) {
		apart := &corev1.PodAntiAffinity{}
		apart.RequiredDuringSchedulingIgnoredDuringExecution = []corev1.PodAffinityTerm{{
			LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{v1alpha1.ElasticJobLabel: "apart"}},
			TopologyKey:   corev1.LabelHostname,
		}}
		pod.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: apart}
	})
	return []change{ended, swollen, nameless}
}

// says fails unless one of the pods of a job is told why it has no node.
func says(t *testing.T, w *world.World, job, what string) error {
	t.Helper()
	var pods corev1.PodList
	if err := w.Client.List(t.Context(), &pods, client.InNamespace(w.Namespace),
		client.MatchingLabels{v1alpha1.ElasticJobLabel: job}); err != nil {
		return err
	}
	said := map[string]bool{}
	for _, pod := range pods.Items {
		for _, c := range pod.Status.Conditions {
			if c.Type != corev1.PodScheduled {
				continue
			}
			if strings.Contains(c.Message, what) {
				return nil
			}
			said[c.Message] = true
		}
	}
	return fmt.Errorf("its %d pods say %v", len(pods.Items), said)
}
