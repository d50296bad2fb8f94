package scheduler

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/world"
)

const roleLabel = v1alpha1.RoleLabel

// led makes the first pod of a change the master of its job, and changes it and the workers.
func led(c change, master, worker func(*corev1.Pod)) change {
	c.pod = []func(*corev1.Pod){func(pod *corev1.Pod) {
		if strings.HasSuffix(pod.Name, "-worker-0") {
			pod.Labels[roleLabel] = v1alpha1.RoleLeader
			master(pod)
			return
		}
		worker(pod)
	}}
	return c
}

// role selects the pods of a role in a job, on one node.
func role(job, role string) []corev1.PodAffinityTerm {
	return []corev1.PodAffinityTerm{{
		TopologyKey:   corev1.LabelHostname,
		LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{v1alpha1.ElasticJobLabel: job, roleLabel: role}},
	}}
}

// A gang whose pods want to be with each other, or not, though none of them is anywhere yet.
func TestSchedulerPlacesAMasterAndWorkersThatMindEachOther(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{})
	w.Nodes(2, 4)
	scheduled(t, w)
	nodesOf := func(c change) (master string, workers map[string]bool) {
		placed(w, c)
		workers = map[string]bool{}
		for _, name := range c.pods()[1:] {
			workers[w.Pod(name).Spec.NodeName] = true
		}
		return w.Pod(c.pods()[0]).Spec.NodeName, workers
	}
	asIs := func(*corev1.Pod) {}
	noGPU := func(pod *corev1.Pod) { pod.Spec.Containers[0].Resources = corev1.ResourceRequirements{} }

	together := gang(t, w, led(change{job: "together", to: 3}, noGPU, func(pod *corev1.Pod) {
		pod.Spec.Affinity = &corev1.Affinity{PodAffinity: &corev1.PodAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: role("together", v1alpha1.RoleLeader),
		}}
	}))
	if master, workers := nodesOf(together); len(workers) != 1 || !workers[master] {
		t.Errorf("the workers are to be with their master on %s, and are on %v", master, workers)
	}
	apart := gang(t, w, led(change{job: "apart", to: 3}, func(pod *corev1.Pod) {
		pod.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: role("apart", v1alpha1.RoleWorker),
		}}
	}, asIs))
	if master, workers := nodesOf(apart); workers[master] {
		t.Errorf("the master does not want to be with workers, and is with one on %s", master)
	}
}

func TestSchedulerTellsWhatFitsOfAJobWithAMaster(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{})
	w.Nodes(2, 4)
	scheduled(t, w)
	asIs := func(*corev1.Pod) {}
	told(w, gang(t, w, led(change{job: "large", to: 4}, func(pod *corev1.Pod) {
		pod.Spec.Containers[0].Resources.Limits["nvidia.com/gpu"] = *resource.NewQuantity(8, resource.DecimalSI)
	}, asIs)), 0)
	lacking := gang(t, w, led(change{job: "lacking", to: 4}, asIs, func(pod *corev1.Pod) {
		pod.Spec.Volumes = []corev1.Volume{{Name: "data", VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "nowhere"},
		}}}
		pod.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{
			MaxSkew: 1, TopologyKey: corev1.LabelHostname, WhenUnsatisfiable: corev1.DoNotSchedule,
			LabelSelector: &metav1.LabelSelector{},
		}}
	}))
	if said := told(w, lacking, 1); !strings.Contains(said.Message, `persistentvolumeclaim "nowhere" not found`) {
		t.Errorf("it is told %q", said.Message)
	}
}
