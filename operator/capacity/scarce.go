package capacity

import (
	"cmp"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/elastic"
)

// A node may have CPU and memory for the workers of one job on all of its GPUs, and not for those of another. What is
// scarce like that is reckoned with worker by worker, as GPUs are, so that nobody counts on what others keep.

// mostNamed is more than a node has of anything: what it has more of is not bounded.
const mostNamed = 1 << 56

// noteScarce notes of what a node has less for workers than it has GPUs for them, with all of ours gone.
func (s *Supply) noteScarce(n *node, each room, more extras) {
	has := n.capacity()
	workers := max(has.gpus, 0) / each.gpus
	note := func(name corev1.ResourceName, has, takes int64) {
		if takes > 0 && has/takes < workers {
			s.scarce[name] = true
		}
	}
	note(corev1.ResourceCPU, has.cpu, each.cpu)
	note(corev1.ResourceMemory, has.memory, each.memory)
	note(corev1.ResourcePods, has.pods, each.pods)
	for name, takes := range more {
		note(name, n.left(name), takes)
	}
}

// left is what a node has of a resource other than GPUs for those that are ours.
func (n *node) left(name corev1.ResourceName) int64 {
	has, ours := n.capacity(), n.ours
	switch name { //nolint:exhaustive // the others are below
	case corev1.ResourceCPU:
		return max(has.cpu, ours.cpu)
	case corev1.ResourceMemory:
		return max(has.memory, ours.memory)
	case corev1.ResourcePods:
		return max(has.pods, ours.pods)
	}
	if strings.HasPrefix(string(name), "port/") {
		return 1
	}
	return max(extraOf(n.Node, name)-n.extras[heldByOthers][name]-n.extras[heldByGPUless][name],
		n.extras[heldByOurs][name])
}

// onePort is the name of a port that one pod has of its node, as of something of which each node has one. A port of
// one address of a node is left out: another pod may have it of another.
func onePort(p hostPort) (name corev1.ResourceName, counts bool) {
	if p.ip != "" && p.ip != "0.0.0.0" {
		return "", false
	}
	protocol := cmp.Or(p.protocol, corev1.ProtocolTCP)
	return corev1.ResourceName(fmt.Sprintf("port/%s/%d", protocol, p.port)), true
}

// mostPorts is how many ports are reckoned with worker by worker: each is looked at on each node.
const mostPorts = 32

// noteScarcePorts notes the ports of a worker.
func (s *Supply) noteScarcePorts(spec *corev1.PodSpec) {
	for _, port := range portsOf(spec) {
		if !s.scarce[port] && s.ports < mostPorts {
			s.scarce[port] = true
			s.ports++
		}
	}
}

// portsOf are the ports that a worker takes of its node, by name.
func portsOf(spec *corev1.PodSpec) (names []corev1.ResourceName) {
	for _, p := range hostPorts(spec) {
		if name, counts := onePort(p); counts {
			names = append(names, name)
		}
	}
	return names
}

// Rooms gives the nodes what they have of all that is scarce for workers that were asked for. A node that takes no new
// pods bounds nobody: those that are there stay.
func (s *Supply) Rooms(nodes []elastic.Node) {
	for i := range nodes {
		n := s.nodes[nodes[i].Name]
		if nodes[i].Room = nil; n == nil || n.closed {
			continue
		}
		for name := range s.scarce {
			left := n.left(name)
			if left >= mostNamed {
				continue
			}
			if nodes[i].Room == nil {
				nodes[i].Room = map[string]int64{}
			}
			nodes[i].Room[string(name)] = left
		}
	}
}

// Takes is what a worker takes of all that is scarce.
func (s *Supply) Takes(w Worker) map[string]int64 {
	if len(s.scarce) == 0 || w.Template == nil {
		return nil
	}
	gpu, _ := s.options.gpus(&w.Template.Spec)
	each, more := takes(&w.Template.Spec, gpu), extrasOf(&w.Template.Spec, gpu, s.counts)
	if more == nil {
		more = extras{}
	}
	more[corev1.ResourceCPU], more[corev1.ResourceMemory], more[corev1.ResourcePods] = each.cpu, each.memory, each.pods
	for _, port := range portsOf(&w.Template.Spec) {
		more[port] = 1
	}
	var scarce map[string]int64
	for name, amount := range more {
		if !s.scarce[name] || amount == 0 {
			continue
		}
		if scarce == nil {
			scarce = map[string]int64{}
		}
		scarce[string(name)] = amount
	}
	return scarce
}
