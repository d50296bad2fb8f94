package capacity

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const (
	hostname = corev1.LabelHostname
	zone     = corev1.LabelTopologyZone
)

// inZone is a node with its own name as a label, as kubelets have it.
func inZone(name, at string, changes ...func(*corev1.Node)) *corev1.Node {
	n := someNode(name, labelled(hostname, name), labelled(zone, at))
	for _, change := range changes {
		change(n)
	}
	return n
}

func withPodLabel(key, value string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		if p.Labels == nil {
			p.Labels = map[string]string{}
		}
		p.Labels[key] = value
	}
}

func termFor(topology, key, value string) []corev1.PodAffinityTerm {
	return []corev1.PodAffinityTerm{{TopologyKey: topology,
		LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{key: value}}}}
}

func apart(topology, key, value string) func(*corev1.PodSpec) {
	return func(s *corev1.PodSpec) {
		s.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: termFor(topology, key, value)}}
	}
}

func togetherInZone(key, value string) func(*corev1.PodSpec) {
	return func(s *corev1.PodSpec) {
		s.Affinity = &corev1.Affinity{PodAffinity: &corev1.PodAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: termFor(zone, key, value)}}
	}
}

func spread(topology string, skew int32, changes ...func(*corev1.TopologySpreadConstraint)) func(*corev1.PodSpec) {
	return func(s *corev1.PodSpec) {
		c := corev1.TopologySpreadConstraint{TopologyKey: topology, MaxSkew: skew,
			WhenUnsatisfiable: corev1.DoNotSchedule,
			LabelSelector:     &metav1.LabelSelector{MatchLabels: map[string]string{"job": "bert"}}}
		for _, change := range changes {
			change(&c)
		}
		s.TopologySpreadConstraints = append(s.TopologySpreadConstraints, c)
	}
}

func listening(host bool, ports ...corev1.ContainerPort) func(*corev1.PodSpec) {
	return func(s *corev1.PodSpec) { s.HostNetwork, s.Containers[0].Ports = host, ports }
}

// bert is a worker of a job whose pods are labelled job=bert, whoever labels them, and which runs on some nodes.
func bert(change func(*corev1.PodSpec), on ...string) Worker {
	return Worker{Template: template(change), Namespace: "team-a", Labels: map[string]string{"job": "bert"}, On: on}
}

// bertOn is one that runs.
func bertOn(node string) *corev1.Pod {
	p := worker("bert-"+node, node)
	withPodLabel("job", "bert")(p)
	return p
}

// resnetOnA is a worker of another job on node a, which is spread together with that one.
func resnetOnA(changes ...func(*corev1.Pod)) *corev1.Pod {
	p := bertOn("a")
	p.OwnerReferences = []metav1.OwnerReference{{UID: "resnet", Controller: new(true)}}
	for _, change := range changes {
		change(p)
	}
	return p
}

// TestFitsBesidePods asks for workers that do not go beside all other pods.
func TestFitsBesidePods(t *testing.T) {
	two := []*corev1.Node{inZone("a", "x"), inZone("b", "y")}
	three := []*corev1.Node{inZone("a", "x"), inZone("b", "x"), inZone("c", "y")}
	eightAndTwo := []*corev1.Node{inZone("a", "x"), inZone("b", "y", with(string(nvidia), "2"))}
	port := corev1.ContainerPort{ContainerPort: 29500}
	udp := corev1.ContainerPort{HostPort: 29500, Protocol: corev1.ProtocolUDP}
	other := func(node string, change func(*corev1.PodSpec)) *corev1.Pod {
		return somePod("other-"+node, node, like(asking("cpu", "1"), change), withPodLabel("app", "db"))
	}
	for name, test := range map[string]struct {
		nodes []*corev1.Node
		pods  []*corev1.Pod
		ask   Worker
		want  Fit
	}{
		"one worker on each node": {nodes: two, ask: bert(apart(hostname, "job", "bert")), want: Fit{Room: 2, Capacity: 2}},
		"one on each node, and one is there": {nodes: two, pods: []*corev1.Pod{bertOn("a")},
			ask: bert(apart(hostname, "job", "bert"), "a"), want: Fit{Room: 1, Capacity: 2}},
		"one in each zone": {nodes: three, ask: bert(apart(zone, "job", "bert")), want: Fit{Room: 2, Capacity: 2}},
		"apart from others of another job": {nodes: two, ask: bert(apart(hostname, "job", "resnet")),
			want: Fit{Room: 16, Capacity: 16}},
		"apart from others that are there": {nodes: three, pods: []*corev1.Pod{other("a", anything)},
			ask: bert(apart(zone, "app", "db")), want: Fit{Room: 8, Capacity: 8}},
		"apart from others that are gone": {nodes: two, pods: []*corev1.Pod{somePod("db", "a", withPodLabel("app", "db"),
			phase(corev1.PodSucceeded))}, ask: bert(apart(hostname, "app", "db")), want: Fit{Room: 16, Capacity: 16}},
		"apart from others in another namespace": {nodes: two, pods: []*corev1.Pod{other("a", anything)},
			ask:  Worker{Template: template(apart(hostname, "app", "db")), Namespace: "team-b"},
			want: Fit{Room: 15 + 1, Capacity: 16}},
		"apart from workers of another job of ours": {nodes: two, pods: []*corev1.Pod{bertOn("a")},
			ask:  Worker{Template: template(apart(hostname, "job", "bert")), Namespace: "team-a"},
			want: Fit{Room: 8, Capacity: 16}},
		"others want none of them beside them": {nodes: two, pods: []*corev1.Pod{other("a", apart(hostname, "job", "bert"))},
			ask: bert(anything), want: Fit{Room: 8, Capacity: 8}},
		"others want none of a third kind beside them": {nodes: two,
			pods: []*corev1.Pod{other("a", apart(hostname, "job", "resnet"))},
			ask:  bert(anything), want: Fit{Room: 16, Capacity: 16}},
		"nodes without the label are no domain": {nodes: []*corev1.Node{someNode("a")},
			ask: bert(apart(hostname, "job", "bert")), want: Fit{Room: 8, Capacity: 8}},
		"all in one zone": {nodes: three, ask: bert(togetherInZone("job", "bert")), want: Fit{Room: 16, Capacity: 16}},
		"all in the zone where they are": {nodes: three, pods: []*corev1.Pod{bertOn("c")},
			ask: bert(togetherInZone("job", "bert"), "c"), want: Fit{Room: 7, Capacity: 8}},
		"beside others": {nodes: three, pods: []*corev1.Pod{other("c", anything)}, ask: bert(togetherInZone("app", "db")),
			want: Fit{Room: 8, Capacity: 8}},
		"beside others that are nowhere so far": {nodes: three, ask: bert(togetherInZone("app", "db")),
			want: Fit{Room: 24, Capacity: 24}},
		"all in one zone, as the job says": {nodes: three, ask: Worker{Template: template(), Within: zone},
			want: Fit{Room: 16, Capacity: 16}},
		"all in the zone where they are, as the job says": {nodes: three, pods: []*corev1.Pod{bertOn("c")},
			ask: Worker{Template: template(), Within: zone, On: []string{"c"}}, want: Fit{Room: 7, Capacity: 8}},
		"all in one rack, where no node tells its own": {nodes: three, ask: Worker{Template: template(), Within: "rack"},
			want: Fit{Room: 24, Capacity: 24}},
		"beside workers of another job of ours": {nodes: three, pods: []*corev1.Pod{bertOn("c")},
			ask:  Worker{Template: template(togetherInZone("job", "bert")), Namespace: "team-a"},
			want: Fit{Room: 7, Capacity: 8}},
		"beside others where no GPUs are": {nodes: append([]*corev1.Node{inZone("cpu", "z", offers("cpu", "8"))}, three...),
			pods: []*corev1.Pod{other("cpu", anything)}, ask: bert(togetherInZone("app", "db"))},
		"in a zone, where no node tells its own": {nodes: []*corev1.Node{someNode("a")},
			ask: bert(togetherInZone("job", "bert")), want: Fit{Room: 0, Capacity: 0}},
		"in the network of the node": {nodes: two, ask: bert(listening(true, port)), want: Fit{Room: 2, Capacity: 2}},
		"in the network of the pod":  {nodes: two, ask: bert(listening(false, port)), want: Fit{Room: 16, Capacity: 16}},
		"on a port of the node": {nodes: two, ask: bert(listening(false, corev1.ContainerPort{HostPort: 1})),
			want: Fit{Room: 2, Capacity: 2}},
		"in the network of the node, without ports": {nodes: two, ask: bert(listening(true)),
			want: Fit{Room: 16, Capacity: 16}},
		"another has the port": {nodes: two, pods: []*corev1.Pod{other("a", listening(true, port))},
			ask: bert(listening(true, port)), want: Fit{Room: 1, Capacity: 1}},
		"another has the port for another protocol": {nodes: two,
			pods: []*corev1.Pod{other("a", listening(true, udp))},
			ask:  bert(listening(true, port)), want: Fit{Room: 2, Capacity: 2}},
		"as many on each node": {nodes: []*corev1.Node{inZone("a", "x"), inZone("b", "y", with(string(nvidia), "2"))},
			ask: bert(spread(hostname, 1)), want: Fit{Room: 5, Capacity: 5}},
		"as many in each zone": {nodes: []*corev1.Node{inZone("a", "x"), inZone("b", "x"), inZone("c", "y",
			with(string(nvidia), "4"))}, ask: bert(spread(zone, 2)), want: Fit{Room: 6 + 4, Capacity: 6 + 4}},
		"nodes without GPUs count": {nodes: append([]*corev1.Node{inZone("cpu", "z", offers("cpu", "8"))}, two...),
			ask: bert(spread(hostname, 1)), want: Fit{Room: 2, Capacity: 2}},
		"nodes that they do not choose do not": {nodes: append([]*corev1.Node{inZone("cpu", "z", offers("cpu", "8"),
			func(n *corev1.Node) { delete(n.Labels, product) })}, two...),
			ask:  bert(func(s *corev1.PodSpec) { spread(hostname, 1)(s); selecting(product, "A100")(s) }),
			want: Fit{Room: 16, Capacity: 16}},
		"nodes that they are not bound to do not": {nodes: two,
			ask:  bert(func(s *corev1.PodSpec) { spread(hostname, 1)(s); onNode("a")(s) }),
			want: Fit{Room: 8, Capacity: 8}},
		"closed nodes count": {nodes: []*corev1.Node{inZone("a", "x"), inZone("b", "y", cordoned)},
			ask: bert(spread(hostname, 3)), want: Fit{Room: 3, Capacity: 3}},
		"tainted nodes do not count if they say so": {nodes: []*corev1.Node{inZone("a", "x"),
			inZone("b", "y", tainted("dedicated", "b", corev1.TaintEffectNoSchedule))},
			ask: bert(spread(hostname, 1, func(c *corev1.TopologySpreadConstraint) {
				c.NodeTaintsPolicy = new(corev1.NodeInclusionPolicyHonor)
			})), want: Fit{Room: 8, Capacity: 8}},
		"too few zones": {nodes: two, ask: bert(spread(zone, 1, func(c *corev1.TopologySpreadConstraint) {
			c.MinDomains = new(int32(3))
		})), want: Fit{Room: 2, Capacity: 2}},
		"those that run count": {nodes: two, pods: []*corev1.Pod{bertOn("a")}, ask: bert(spread(hostname, 1), "a"),
			want: Fit{Room: 7 + 8, Capacity: 16}},
		"those of another job of ours count, though they may give way": {nodes: eightAndTwo, pods: []*corev1.Pod{
			resnetOnA(), resnetOnA(), resnetOnA()}, ask: bert(spread(hostname, 1)), want: Fit{Room: 2, Capacity: 2}},
		"those of another job that go do not": {nodes: eightAndTwo, pods: []*corev1.Pod{
			resnetOnA(terminating), resnetOnA(terminating), resnetOnA(terminating)},
			ask: bert(spread(hostname, 1)), want: Fit{Room: 2, Capacity: 3 + 2}},
		"spread if possible": {nodes: append([]*corev1.Node{inZone("c", "z", offers("cpu", "8"))}, two...),
			ask: bert(spread(hostname, 1, func(c *corev1.TopologySpreadConstraint) {
				c.WhenUnsatisfiable = corev1.ScheduleAnyway
			})), want: Fit{Room: 16, Capacity: 16}},
	} {
		t.Run(name, func(t *testing.T) {
			test.want.Pool = "A100"
			s := read(test.nodes, test.pods...)
			s.Fits(Worker{Template: template()})
			for range 2 {
				if diff := cmp.Diff([]Fit{test.want}, s.Fits(test.ask)); diff != "" {
					t.Errorf("fits (-want +got):\n%s", diff)
				}
			}
		})
	}
}

// anything requires nothing.
func anything(*corev1.PodSpec) {}

// BenchmarkFitsBesidePods asks for the workers of 5,000 jobs, each of which has one worker a node.
func BenchmarkFitsBesidePods(b *testing.B) {
	c := Cluster{Ours: ours}
	for i := range 1000 {
		c.Nodes = append(c.Nodes, inZone(fmt.Sprintf("node-%04d", i), fmt.Sprint(i%7)))
	}
	var workers []Worker
	for i := range 5000 {
		job, node := fmt.Sprint("job-", i), c.Nodes[i%1000].Name
		habit := apart(hostname, "job", job)
		c.Pods = append(c.Pods, worker(job, node, like(asking(string(nvidia), "1"), habit)))
		withPodLabel("job", job)(c.Pods[i])
		workers = append(workers, Worker{Template: template(habit), Namespace: "team-a",
			Labels: map[string]string{"job": job}, On: []string{node}})
	}
	b.ReportAllocs()
	for b.Loop() {
		s := Read(c, options)
		for _, w := range workers {
			if s.Fits(w)[0].Room != 999 {
				b.Fatal("no room")
			}
		}
	}
}
