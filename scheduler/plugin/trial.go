package plugin

import (
	"context"
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/takt-dev/takt/scheduler/gang"
	"github.com/takt-dev/takt/scheduler/pack"
)

// found is what a trial has found: a node for each pod, or for some of them, and why not for more.
type found struct {
	nodes map[gang.UID]string
	fit   int // how many of them are of use to the job
	pods  []fwk.PodInfo
	order []gang.UID // in which they must come, where that matters
	why   string
	held  bool   // another plugin holds one of them back
	trial *trial // nil if there was none
}

// trial places a gang in thought, on the nodes as they were when the speaker's turn came.
type trial struct {
	t       *Takt
	limit   limit
	cut     bool // there was no time to try everything
	held    bool // another plugin holds a pod back
	ctx     context.Context
	gpu     corev1.ResourceName // that the gang uses
	classes []*class
	infos   []fwk.NodeInfo
	nodes   []pack.Node
	wish    pack.Wish

	most map[int]int // of the pods of the gang, on nodes that have refused one more before

	mu      sync.Mutex
	reasons map[string]map[int]bool // why nodes are out of the question, and which are
	lacking map[int]bool            // nodes that lack nothing but GPUs
}

// try looks for room for all pods of a gang.
func (t *Takt) try(ctx context.Context, turn gang.Turn) (found, error) {
	defer t.timed(t.clock())
	tr := &trial{t: t, ctx: ctx, reasons: map[string]map[int]bool{}, lacking: map[int]bool{}, most: map[int]int{}}
	why, err := tr.gather(turn.Try)
	if err != nil || why != "" {
		return found{why: why, held: tr.held}, err
	}
	var one []*corev1.Pod
	for _, class := range tr.classes {
		one = append(one, class.pods[0].GetPod())
	}
	if tr.wish, why = t.wishOf(one); why != "" {
		return found{why: why}, nil
	}
	if err := tr.survey(turn); err != nil {
		return found{}, err
	}
	tr.limit = t.limit()
	best, err := tr.arranged(len(turn.Try))
	if err != nil {
		return found{}, err
	}
	result := found{nodes: best.nodes, fit: useful(turn.Try, best.nodes), trial: tr}
	for _, c := range tr.classes {
		result.pods = append(result.pods, c.pods...)
	}
	if tr.mindsOthers() {
		result.order = best.order
	}
	if len(best.nodes) < len(turn.Try) {
		result.why = tr.why(result.fit, len(turn.Try))
	}
	return result, nil
}

// useful is how many of the pods that have room are of use: none without their leader.
func useful(pods []gang.Pod, nodes map[gang.UID]string) int {
	for _, p := range pods {
		if p.Leader && nodes[p.UID] == "" {
			return 0
		}
	}
	return len(nodes)
}

// arranged is the best arrangement that is found. Most gangs get along as their resources say. Where they do
// not, each node is asked how many pods it takes if they come one after the other; and where they are in
// each other's way across nodes too, each pod goes to the first node that takes it beside those before it.
func (tr *trial) arranged(all int) (*draft, error) {
	best := tr.draft()
rounds:
	for round := range mostRounds {
		d, agreed, err := tr.arrange(round == 0)
		if err != nil {
			return nil, err
		}
		if len(d.nodes) > len(best.nodes) {
			best = d
		}
		switch {
		case len(best.nodes) == all || agreed && round == 0 && !tr.mindsOthers():
			return best, nil
		case round == 0:
			tr.measure()
		case agreed:
			break rounds // it is all that fits, or too little was believed of some nodes
		}
		if tr.runsOut(tr.limit.half) {
			break
		}
	}
	return tr.firstFit(best)
}

// mindsOthers says that it matters to some of the pods who else is where.
func (tr *trial) mindsOthers() bool {
	return slices.ContainsFunc(tr.classes, func(c *class) bool { return mindsOtherPods(c.pods[0].GetPod()) })
}

// arrange puts the pods where pack wants them, one after the other, as each is seen by all filters beside
// those that came before. Where some do not get along, their nodes have less room than was thought: the
// next round knows that. The first is played to its end.
func (tr *trial) arrange(first bool) (d *draft, agreed bool, err error) {
	d, agreed = tr.draft(), true
	shares := pack.Place(tr.nodes, tr.ask(), tr.wish)
	slices.SortStableFunc(shares, func(a, b pack.Share) int {
		return tr.classes[a.Class].keepsApart() - tr.classes[b.Class].keepsApart()
	})
	for _, share := range shares {
		for i := range share.Pods {
			if !first && tr.runsOut(tr.limit.half) {
				return d, false, nil
			}
			fits, err := d.put(share.Class, share.Node)
			if err != nil {
				return nil, false, err
			}
			if !fits {
				tr.nodes[share.Node].Room[share.Class] = i
				agreed = false
				break
			}
		}
	}
	if agreed {
		d.sum()
	}
	return d, agreed, nil
}

// ask is the gang as pack knows it.
func (tr *trial) ask() []pack.Class {
	var ask []pack.Class
	for _, class := range tr.classes {
		ask = append(ask, pack.Class{Pods: len(class.pods), GPUs: class.gpus})
	}
	return ask
}
