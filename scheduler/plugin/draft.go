package plugin

import (
	"slices"

	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"

	"github.com/takt-dev/takt/scheduler/gang"
	"github.com/takt-dev/takt/scheduler/pack"
)

// draft is an arrangement in the making: the nodes as they would be with the pods that are on them so far.
type draft struct {
	*trial
	states []fwk.CycleState     // by class
	next   []int                // the next pod of each class
	filled map[int]fwk.NodeInfo // by node
	on     map[int]int          // pods of the gang, by node
	nodes  map[gang.UID]string
	order  []gang.UID // in which they came
}

func (tr *trial) draft() *draft {
	d := &draft{trial: tr, next: make([]int, len(tr.classes)), filled: map[int]fwk.NodeInfo{}, on: map[int]int{},
		nodes: map[gang.UID]string{}}
	for _, class := range tr.classes {
		d.states = append(d.states, class.state.Clone())
	}
	return d
}

// info is a node with what is on it so far.
func (d *draft) info(node int) fwk.NodeInfo {
	if d.filled[node] == nil {
		d.filled[node] = d.infos[node].Snapshot()
	}
	return d.filled[node]
}

// put puts the next pod of a class on a node, if the filters let it.
func (d *draft) put(class, node int) (fits bool, err error) {
	if most, known := d.most[node]; known && d.on[node] >= most {
		return false, nil
	}
	info, pod := d.info(node), d.classes[class].pods[d.next[class]]
	status := d.t.handle.RunFilterPluginsWithNominatedPods(d.ctx, d.states[class], pod.GetPod(), info)
	if status.IsRejected() {
		d.blame(node, status)
		return false, nil
	}
	if !status.IsSuccess() {
		return false, status.AsError()
	}
	there := pod.GetPod().DeepCopy()
	there.Spec.NodeName = info.Node().Name
	settled, err := framework.NewPodInfo(there)
	if err != nil {
		return false, err
	}
	info.AddPodInfo(settled)
	for c, class := range d.classes {
		if class.no != nil {
			continue
		}
		if status := d.t.handle.RunPreFilterExtensionAddPod(d.ctx, d.states[c], class.pods[0].GetPod(), settled,
			info); !status.IsSuccess() {
			return false, status.AsError()
		}
	}
	d.next[class]++
	d.on[node]++
	d.nodes[uidOf(pod.GetPod())] = info.Node().Name
	d.order = append(d.order, uidOf(pod.GetPod()))
	return true, nil
}

// sum notes why the nodes that have got pods take none of those that are left; as far as there is time.
func (d *draft) sum() {
	for c, class := range d.classes {
		if d.next[c] == len(class.pods) || class.no != nil {
			continue
		}
		for node, info := range d.filled {
			if !d.t.clock().Before(d.limit.half) {
				return
			}
			status := d.t.handle.RunFilterPluginsWithNominatedPods(d.ctx, d.states[c], class.pods[d.next[c]].GetPod(), info)
			if !status.IsSuccess() {
				d.blame(node, status)
			}
		}
	}
}

// measure finds out how many pods of each class a node takes if they come one after the other, and nobody
// else does. Of those that there is no time for it is believed what their resources say.
func (tr *trial) measure() {
	for c, class := range tr.classes {
		for node := range tr.nodes {
			room := min(tr.nodes[node].Room[c], len(class.pods))
			if room < 2 {
				continue
			}
			d := tr.draft()
			took := 0
			for took < room {
				if tr.runsOut(tr.limit.half) {
					return
				}
				if fits, err := d.put(c, node); err != nil || !fits {
					break
				}
				took++
			}
			tr.nodes[node].Room[c] = took
		}
	}
}

// firstFit puts each pod on the first node that takes it: where the job is already, then on the busiest. Where
// all must be in one domain, it is tried in each, for as long as there is time. It gives what it is to be better
// than, if it is not.
func (tr *trial) firstFit(best *draft) (*draft, error) {
	for _, domain := range pack.Homes(tr.nodes, tr.wish) {
		if tr.runsOut(tr.limit.whole) {
			break
		}
		slices.SortStableFunc(domain, func(a, b int) int {
			if kin := tr.nodes[b].Kin - tr.nodes[a].Kin; kin != 0 {
				return kin
			}
			return tr.nodes[a].Free - tr.nodes[b].Free
		})
		d := tr.draft()
		for c, class := range tr.classes {
			if class.no != nil {
				continue
			}
			for range class.pods {
				for _, node := range domain {
					if tr.runsOut(tr.limit.whole) {
						break
					}
					if tr.nodes[node].Room[c] == 0 && d.filled[node] == nil && tr.nodes[node].Free < class.gpus {
						continue
					}
					fits, err := d.put(c, node)
					if err != nil {
						return nil, err
					}
					if fits {
						break
					}
				}
			}
		}
		if len(d.nodes) > len(best.nodes) {
			best = d
		}
	}
	return best, nil
}
