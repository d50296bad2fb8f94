package scheduler

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/world"
)

// twoRacks adds two racks of two nodes with four GPUs each, and says which node is in which.
func twoRacks(w *world.World) map[string]string {
	rackOf := map[string]string{}
	for _, rack := range []string{"left", "right"} {
		for _, node := range w.Nodes(2, 4, world.Rack(rack)) {
			rackOf[node] = rack
		}
	}
	return rackOf
}

// racks are the racks that a change's pods are in, by name, each with its pods.
func racks(w *world.World, c change, rackOf map[string]string) map[string]int {
	got := map[string]int{}
	for _, name := range c.pods() {
		got[rackOf[w.Pod(name).Spec.NodeName]]++
	}
	return got
}

func note(key, value string) []func(*corev1.Pod) {
	return []func(*corev1.Pod){func(pod *corev1.Pod) { pod.Annotations[key] = value }}
}

func TestSchedulerKeepsAJobTogether(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{})
	rackOf := twoRacks(w)
	scheduled(t, w)
	// Three of eight in one rack are taken: six pods are together in the other.
	plain(w, "other", 3)
	w.Eventually("the other has its GPUs", world.Soon, func() error { return onNode(w, "other") })
	theirs := rackOf[w.Pod("other").Spec.NodeName]
	job := gang(t, w, change{job: "job", to: 6})
	placed(w, job)
	if in := racks(w, job, rackOf); len(in) != 1 || in[theirs] > 0 {
		t.Errorf("six pods are in the racks %v, and the other's is %s", in, theirs)
	}
	// A stranger of one GPU goes where an odd one is left, beside the other. The job grows where it is.
	stranger := gang(t, w, change{job: "stranger", to: 1})
	placed(w, stranger)
	if got, want := w.Pod("stranger-worker-0").Spec.NodeName, w.Pod("other").Spec.NodeName; got != want {
		t.Errorf("a pod of one GPU is on %s, and on %s one is left over", got, want)
	}
	remove(t, w, "stranger-worker-0")
	succeed(t, w, job)
	more := gang(t, w, change{job: "job", epoch: 2, from: 6, to: 7})
	placed(w, more)
	if in := racks(w, more, rackOf); in[theirs] > 0 {
		t.Errorf("it has grown into the racks %v", in)
	}
}

func TestSchedulerObeysTheTopologyThatAJobAsksFor(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{})
	rackOf := twoRacks(w)
	scheduled(t, w)
	tooMany := gang(t, w, change{job: "toomany", to: 10, pod: note(v1alpha1.TopologyRequiredAnnotation, "rack")})
	if said := told(w, tooMany, 8); !strings.HasPrefix(said.Message,
		"8 of 10 new pods fit, as all must be in one rack; ") {
		t.Errorf("it is told %q", said.Message)
	}
	nonsense := gang(t, w, change{job: "nonsense", to: 2, pod: note(v1alpha1.TopologyRequiredAnnotation, "row")})
	if said := told(w, nonsense, 0); !strings.Contains(said.Message,
		`takt.dev/topology-required of the pods says "row", but must be one of node, rack, zone`) {
		t.Errorf("it is told %q", said.Message)
	}
	one := gang(t, w, change{job: "one", to: 4, pod: note(v1alpha1.TopologyRequiredAnnotation, "node")})
	placed(w, one)
	nodes := map[string]bool{}
	for _, name := range one.pods() {
		nodes[w.Pod(name).Spec.NodeName] = true
	}
	if len(nodes) != 1 {
		t.Errorf("all must be on one node, and are on %v", nodes)
	}
	rack := gang(t, w, change{job: "rack", to: 8, pod: note(v1alpha1.TopologyRequiredAnnotation, "rack")})
	placed(w, rack)
	if in := racks(w, rack, rackOf); len(in) != 1 {
		t.Errorf("all must be in one rack, and are in %v", in)
	}
	anywhere := gang(t, w, change{job: "anywhere", to: 4, pod: note(v1alpha1.TopologyPreferredAnnotation, "none")})
	placed(w, anywhere)
}

// What keeps pods apart is not seen in the resources of nodes: a port of the node, or a spread over zones.
func TestSchedulerPlacesPodsThatCannotBeTogether(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{})
	zone := func(name string) func(*corev1.Node) {
		return func(node *corev1.Node) { node.Labels[corev1.LabelTopologyZone] = name }
	}
	zoneOf := map[string]string{}
	for _, name := range []string{"here", "there"} {
		for _, node := range w.Nodes(15, 4, zone(name)) {
			zoneOf[node] = name
		}
	}
	scheduled(t, w)
	apart := gang(t, w, change{job: "apart", to: 8, pod: []func(*corev1.Pod){func(pod *corev1.Pod) {
		pod.Spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 23458, HostPort: 23458}}
	}}})
	placed(w, apart)
	nodes := map[string]bool{}
	for _, name := range apart.pods() {
		nodes[w.Pod(name).Spec.NodeName] = true
	}
	if len(nodes) != 8 {
		t.Errorf("eight pods with one port are on %d nodes", len(nodes))
	}
	spread := gang(t, w, change{job: "spread", to: 10, pod: []func(*corev1.Pod){func(pod *corev1.Pod) {
		pod.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{
			MaxSkew: 1, TopologyKey: corev1.LabelTopologyZone, WhenUnsatisfiable: corev1.DoNotSchedule,
			LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{v1alpha1.ElasticJobLabel: "spread"}},
		}}
	}}})
	placed(w, spread)
	if in := racks(w, spread, zoneOf); in["here"] != 5 || in["there"] != 5 {
		t.Errorf("ten pods to be spread over two zones are in %v", in)
	}
	used := map[string]int{}
	for _, name := range spread.pods() {
		used[w.Pod(name).Spec.NodeName]++
	}
	left := int32(0)
	for node := range zoneOf {
		if !nodes[node] && used[node] < 4 {
			left++
		}
	}
	told(w, gang(t, w, change{job: "toomany", to: 40, pod: apart.pod}), left)
}
