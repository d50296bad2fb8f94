package plugin

import (
	"fmt"

	fwk "k8s.io/kube-scheduler/framework"

	"github.com/takt-dev/takt/scheduler/gang"
	"github.com/takt-dev/takt/scheduler/pack"
	"github.com/takt-dev/takt/scheduler/settings"
)

// survey looks at all nodes: which could take a pod of each class, and how many by their resources.
func (tr *trial) survey(turn gang.Turn) error {
	var err error
	if tr.infos, err = tr.t.handle.SnapshotSharedLister().NodeInfos().List(); err != nil {
		return fmt.Errorf("listing the nodes: %w", err)
	}
	tr.nodes = make([]pack.Node, len(tr.infos))
	tr.t.handle.Parallelizer().Until(tr.ctx, len(tr.infos), func(i int) {
		info := tr.infos[i]
		labels := info.Node().Labels
		free := gpusFree(keptIn(tr.classes[0].state).on(info), tr.gpu)
		node := pack.Node{Free: free, Room: make([]int, len(tr.classes)), Kin: turn.Kin[info.Node().Name]}
		for l, level := range tr.t.settings.Packing.Levels {
			if labels[level.Key] == "" && tr.wish.Within == pack.Level(l+1) {
				tr.note(i, "without the label "+level.Key)
			}
		}
		node.Domains = tr.t.domains(labels)
		for c, class := range tr.classes {
			node.Room[c] = min(tr.room(class, i), len(class.pods))
			if _, listed := info.GetAllocatable().GetScalarResources()[tr.gpu]; !listed {
				node.Free = max(node.Free, node.Room[c]*class.gpus) // a claim stands for them
			}
		}
		tr.nodes[i] = node
	}, settings.Plugin)
	for i, info := range tr.infos {
		if most, known := turn.Most[info.Node().Name]; known {
			tr.most[i] = most
			tr.note(i, "refused a pod of the gang")
		}
	}
	return tr.ctx.Err()
}

// room is how many pods of a class a node could take.
func (tr *trial) room(c *class, node int) int {
	info := tr.infos[node]
	switch {
	case c.no != nil:
		tr.blame(node, c.no)
		return 0
	case c.only != nil && !c.only.Has(info.Node().Name):
		tr.note(node, "out of reach of the pods' volumes, devices or node affinity")
		return 0
	}
	if status := tr.t.handle.RunFilterPluginsWithNominatedPods(tr.ctx, c.state, c.pods[0].GetPod(),
		info); !status.IsSuccess() {
		tr.blame(node, status)
		return 0
	}
	return fits(c.takes, keptIn(c.state).on(info))
}

// blame notes why a node does not take another pod.
func (tr *trial) blame(node int, status *fwk.Status) { tr.note(node, status.Reasons()...) }

// note notes what is wrong with a node.
func (tr *trial) note(node int, reasons ...string) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	for _, reason := range reasons {
		if tr.reasons[reason] == nil {
			tr.reasons[reason] = map[int]bool{}
		}
		tr.reasons[reason][node] = true
		tr.lacking[node] = tr.lacking[node] || reason == "Insufficient "+string(tr.gpu)
	}
}
