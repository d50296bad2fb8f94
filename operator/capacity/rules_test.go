package capacity

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/elastic"
)

// Five thousand rules of one job held up the plan of all others for ten seconds, in a cluster of ten thousand pods.
func TestOneJobDoesNotHoldUpThePlanByItsRules(t *testing.T) {
	apart := func(n int) func(*corev1.PodSpec) {
		return func(spec *corev1.PodSpec) {
			var terms []corev1.PodAffinityTerm
			for i := range n {
				terms = append(terms, corev1.PodAffinityTerm{TopologyKey: "zone", LabelSelector: &metav1.LabelSelector{
					MatchLabels: map[string]string{"app": fmt.Sprint(i)}}})
			}
			spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{
				RequiredDuringSchedulingIgnoredDuringExecution: terms}}
		}
	}
	elsewhere := func(n int) func(*corev1.PodSpec) {
		return func(spec *corev1.PodSpec) {
			terms := make([]corev1.NodeSelectorTerm, n)
			for i := range terms {
				terms[i].MatchExpressions = []corev1.NodeSelectorRequirement{
					{Key: "zone", Operator: corev1.NodeSelectorOpIn, Values: []string{fmt.Sprint("no ", i)}}}
			}
			spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
				RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: terms}}}
		}
	}
	spread := func(n int) func(*corev1.PodSpec) {
		return func(spec *corev1.PodSpec) {
			for i := range n {
				spec.TopologySpreadConstraints = append(spec.TopologySpreadConstraints, corev1.TopologySpreadConstraint{
					MaxSkew: 1, TopologyKey: fmt.Sprint("no ", i), WhenUnsatisfiable: corev1.DoNotSchedule,
					LabelSelector: &metav1.LabelSelector{}})
			}
		}
	}
	node := someNode("node", labelled("zone", "a"))
	beside := somePod("beside", "node")
	beside.Labels = map[string]string{"app": "0"}
	s := Read(Cluster{Nodes: []*corev1.Node{node}, Pods: []*corev1.Pod{beside}}, options)
	for name, test := range map[string]struct {
		rules func(*corev1.PodSpec)
		want  elastic.Workers
	}{
		"none":                   {func(*corev1.PodSpec) {}, 7},
		"as many as people have": {apart(10), 0},
		"pods":                   {apart(5000), 7},
		"nodes":                  {elsewhere(5000), 7},
		"a hundred nodes":        {elsewhere(100), 0},
		"domains":                {spread(5000), 7},
		"a few domains":          {spread(5), 0},
	} {
		t.Run(name, func(t *testing.T) {
			template := template(asking(string(nvidia), "1"), test.rules)
			room := elastic.Workers(0)
			for _, f := range s.Fits(Worker{Template: template, Namespace: beside.Namespace}) {
				room += f.Room
			}
			if room != test.want {
				t.Errorf("room for %d, want %d", room, test.want)
			}
		})
	}
}

// Nodes with GPUs often have a taint that every job there tolerates.
func TestAJobWithTooManyRulesToleratesWhatItDid(t *testing.T) {
	node := someNode("node")
	node.Spec.Taints = []corev1.Taint{{Key: "gpus", Effect: corev1.TaintEffectNoSchedule}}
	template := template(asking(string(nvidia), "1"))
	template.Spec.Tolerations = []corev1.Toleration{{Key: "gpus", Operator: corev1.TolerationOpExists}}
	template.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: make([]corev1.PodAffinityTerm, 2*mostRules)}}
	s := Read(Cluster{Nodes: []*corev1.Node{node}}, options)
	if len(s.Fits(Worker{Template: template})) == 0 {
		t.Error("it has no room on a node whose taint it tolerates")
	}
}

// A pod of somebody else's, with as many rules against those beside it, holds up nothing either.
func TestOnePodDoesNotHoldUpThePlanByItsRules(t *testing.T) {
	guarded := somePod("guarded", "node")
	guarded.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: make([]corev1.PodAffinityTerm, 5000)}}
	s := Read(Cluster{Nodes: []*corev1.Node{someNode("node")}, Pods: []*corev1.Pod{guarded}}, options)
	if guards := s.neighbours().guards; len(guards) > 0 {
		t.Errorf("%d sorts of its rules are looked at", len(guards))
	}
}

// Each resource of a worker has all of its containers looked at, and each port that is scarce all nodes.
func TestOneJobDoesNotHoldUpThePlanByItsNames(t *testing.T) {
	s := Read(Cluster{Nodes: []*corev1.Node{someNode("node")}}, options)
	template := template(asking(string(nvidia), "1"))
	for i := range 5000 {
		c := corev1.Container{Ports: []corev1.ContainerPort{{HostPort: int32(1000 + i)}}}
		name := corev1.ResourceName(fmt.Sprint("example.com/", i))
		c.Resources.Requests = corev1.ResourceList{name: resource.MustParse("1")}
		template.Spec.Containers = append(template.Spec.Containers, c)
	}
	if x := extrasOf(&template.Spec, nvidia, s.counts); len(x) > 0 {
		t.Errorf("%d resources count that no node names", len(x))
	}
	s.Fits(Worker{Template: template})
	nodes := []elastic.Node{{Name: "node"}}
	if s.Rooms(nodes); len(nodes[0].Room) != mostPorts || len(s.Takes(Worker{Template: template})) != mostPorts {
		t.Errorf("%d names are reckoned with on a node", len(nodes[0].Room))
	}
}
