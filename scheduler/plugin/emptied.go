package plugin

import (
	"slices"

	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/takt-dev/takt/scheduler/gang"
	"github.com/takt-dev/takt/scheduler/pack"
)

// emptied is where the gang would be if nobody else had a GPU, on the nodes of which least is taken; nil if
// it could not be anywhere even then. Its time is limited as that of the trial was: nodes of which more is taken than
// there is time to look at are left alone.
func (tr *trial) emptied() map[gang.UID]string {
	byUse := make([]int, len(tr.infos))
	nodes := make([]pack.Node, len(tr.infos))
	empty := make([]fwk.NodeInfo, len(tr.infos))
	for i, info := range tr.infos {
		byUse[i], empty[i], nodes[i] = i, tr.without(info), tr.nodes[i]
		nodes[i].Free = gpusFree(empty[i], tr.gpu)
		nodes[i].Room = make([]int, len(tr.classes))
	}
	slices.SortStableFunc(byUse, func(a, b int) int {
		return (nodes[a].Free - tr.nodes[a].Free) - (nodes[b].Free - tr.nodes[b].Free)
	})
	limit := tr.t.limit()
	for _, i := range byUse {
		for c, class := range tr.classes {
			if tr.runsOut(limit.whole) {
				break
			}
			if class.no == nil && (class.only == nil || class.only.Has(empty[i].Node().Name)) &&
				tr.t.handle.RunFilterPlugins(tr.ctx, class.state, class.pods[0].GetPod(), empty[i]).IsSuccess() {
				nodes[i].Room[c] = fits(class.takes, keptIn(class.state).on(empty[i]))
			}
		}
	}
	ask, all := tr.ask(), 0
	for _, class := range ask {
		all += class.Pods
	}
	for n := 1; ; n *= 2 {
		some := byUse[:min(n, len(byUse))]
		least := make([]pack.Node, len(some))
		for i, node := range some {
			least[i] = nodes[node]
		}
		if shares := pack.Place(least, ask, tr.wish); pack.Count(shares) == all {
			return tr.named(shares, some)
		}
		if n >= len(byUse) {
			return nil
		}
	}
}

// without is a node without the pods that have GPUs of it.
func (tr *trial) without(info fwk.NodeInfo) fwk.NodeInfo {
	empty := info.Snapshot()
	for _, pod := range info.GetPods() {
		if gpusOf(pod, tr.gpu) > 0 {
			if err := empty.RemovePod(klog.FromContext(tr.ctx), pod.GetPod()); err != nil {
				return info
			}
		}
	}
	return empty
}

// named says which pods the shares are for.
func (tr *trial) named(shares []pack.Share, nodes []int) map[gang.UID]string {
	named := map[gang.UID]string{}
	next := make([]int, len(tr.classes))
	for _, share := range shares {
		for range share.Pods {
			pod := tr.classes[share.Class].pods[next[share.Class]]
			next[share.Class]++
			named[uidOf(pod.GetPod())] = tr.infos[nodes[share.Node]].Node().Name
		}
	}
	return named
}
