package capacity

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
)

// Pods without GPUs keep workers from a node by all that counts where room is looked for; those with GPUs have their
// end noticed anyway.
func TestWhichNodesPodsWithoutGPUsHold(t *testing.T) {
	gpu := string(nvidia)
	pods := func(change ...func(*corev1.Pod)) []*corev1.Pod {
		return []*corev1.Pod{somePod("p", "a", change...)}
	}
	cpus := func(n string) func(*corev1.Pod) { return like(asking("cpu", n)) }
	port := func(s *corev1.PodSpec) {
		s.Containers[0].Ports = []corev1.ContainerPort{{HostPort: 29500, ContainerPort: 29500}}
	}
	onPort := func(p *corev1.Pod) { port(&p.Spec) }
	hungry := asking(gpu, "1", "cpu", "60")
	for name, test := range map[string]struct {
		pods []*corev1.Pod
		ask  func(*corev1.PodSpec)
		want []string
	}{
		"nobody":                         {ask: hungry},
		"they hold the CPU":              {pods: pods(cpus("8")), ask: hungry, want: []string{"a"}},
		"they leave enough":              {pods: pods(cpus("4")), ask: hungry},
		"nobody asks for CPU":            {pods: pods(cpus("64")), ask: anything},
		"one with GPUs holds the CPU":    {pods: pods(like(asking(gpu, "1", "cpu", "8"))), ask: hungry},
		"one without is as good as gone": {pods: pods(cpus("8"), goneBy(noon)), ask: hungry},
		"they hold the port":             {pods: pods(cpus("1"), onPort), ask: port, want: []string{"a"}},
		"they hold the disk": {pods: pods(like(asking("ephemeral-storage", "80Gi"))),
			ask: asking(gpu, "1", "ephemeral-storage", "50Gi"), want: []string{"a"}},
	} {
		t.Run(name, func(t *testing.T) {
			disk := func(n *corev1.Node) { n.Status.Allocatable["ephemeral-storage"] = amounts("d", "100Gi")["d"] }
			s := read([]*corev1.Node{someNode("a", disk), someNode("b", disk)}, test.pods...)
			got := s.HeldWithoutGPUs(Worker{Template: template(test.ask), Namespace: "team-a"})
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("nodes (-want +got):\n%s", diff)
			}
		})
	}
}
