package plugin

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/takt-dev/takt/scheduler/gang"
)

var (
	_ fwk.PreFilterPlugin  = &Takt{}
	_ fwk.FilterPlugin     = &Takt{}
	_ fwk.PostFilterPlugin = &Takt{}
)

// tried marks the state of a pod that is tried in thought only, for which the plugin steps aside.
const tried fwk.StateKey = "takt.dev/thought"

type isTried struct{}

func (isTried) Clone() fwk.StateData { return isTried{} }

// planned is what a pod has been planned for, in the state of its cycle.
type planned struct {
	plan int
	node string
}

func (p planned) Clone() fwk.StateData { return p }

const plannedKey fwk.StateKey = "takt.dev/planned"

// plannedIn is what the pod of a cycle has been planned for; nothing if it was not.
func plannedIn(state fwk.CycleState) planned {
	if stored, err := state.Read(plannedKey); err == nil {
		return stored.(planned)
	}
	return planned{}
}

// PreFilter sends a pod to the node that it was planned for. The pod that speaks for a gang has all of it
// tried first.
func (t *Takt) PreFilter(ctx context.Context, state fwk.CycleState, pod *corev1.Pod,
	_ []fwk.NodeInfo) (*fwk.PreFilterResult, *fwk.Status) {
	if _, err := state.Read(tried); err == nil || !t.member(pod) {
		return t.keepFrom(state, pod)
	}
	var turn gang.Turn
	var known bool
	t.with(func(b *gang.Book, now time.Time) { turn, known = b.Turn(uidOf(pod), now) })
	switch {
	case !known:
		return t.keepFrom(state, pod)
	case turn.Node != "":
		return only(state, planned{turn.Plan, turn.Node}), nil
	case turn.Why != "":
		return nil, fwk.NewStatus(fwk.UnschedulableAndUnresolvable, turn.Why)
	}
	uid := uidOf(pod)
	began := t.clock()
	found, err := t.try(ctx, turn)
	if err != nil {
		return nil, fwk.AsStatus(fmt.Errorf("trying the gang of pod %s/%s: %w", pod.Namespace, pod.Name, err))
	}
	if len(found.nodes) < len(turn.Try) {
		t.claim(ctx, uid, found)
		t.inVain(uid, began, t.clock())
		if found.held {
			t.with(func(b *gang.Book, now time.Time) { b.Later(uid, now) })
		}
		if turn.Told {
			t.reports.tell(read(pod).Change, found.fit+turn.Bound, found.why+".")
		}
		return nil, fwk.NewStatus(fwk.UnschedulableAndUnresolvable, found.why)
	}
	plan := 0
	t.with(func(b *gang.Book, now time.Time) { plan = b.Planned(uid, found.nodes, found.order, now) })
	if plan == 0 {
		return nil, fwk.NewStatus(fwk.UnschedulableAndUnresolvable, "the gang has changed while it was tried")
	}
	if found.order != nil && found.order[0] != uid {
		return nil, fwk.NewStatus(fwk.UnschedulableAndUnresolvable, "another pod of the gang has to come first")
	}
	if found.order == nil { // who minds where others are would mind those that are only meant to be there
		t.nominate(ctx, found.pods, found.nodes, uid)
	}
	return only(state, planned{plan, found.nodes[uid]}), nil
}

// Filter lets a pod that was planned for go nowhere else: not even to a node that was once kept for it. To any other it
// leaves what is not kept for a job that is being resized.
func (t *Takt) Filter(_ context.Context, state fwk.CycleState, _ *corev1.Pod, info fwk.NodeInfo) *fwk.Status {
	if p := plannedIn(state); p.node != "" && p.node != info.Node().Name {
		return fwk.NewStatus(fwk.UnschedulableAndUnresolvable, "the pod was planned for another node")
	}
	return keptIn(state).refuses(info)
}

// claim keeps nodes for a gang that has been waiting for very long, though others hold them as yet.
func (t *Takt) claim(ctx context.Context, speaker gang.UID, found found) {
	var keep map[gang.UID]string
	var choose bool
	t.with(func(b *gang.Book, now time.Time) { keep, choose = b.Short(speaker, now) })
	if choose && found.trial != nil {
		if keep = found.trial.emptied(); keep == nil {
			return // it could not have them all even if nobody else were there
		}
		t.with(func(b *gang.Book, now time.Time) { b.Claim(speaker, keep, now) })
		claims.Inc()
		klog.FromContext(ctx).V(2).Info("Nodes are kept for a gang that has been waiting for long", "pods", len(keep))
	}
	t.nominate(ctx, found.pods, keep, speaker)
}

// PreFilterExtensions are none.
func (*Takt) PreFilterExtensions() fwk.PreFilterExtensions { return nil }

// nominate keeps the nodes of a plan for its pods, for as long as they are on their way, as kube-scheduler
// does for pods that others were preempted for: in memory, and with no effect on pods of higher priority.
func (t *Takt) nominate(ctx context.Context, pods []fwk.PodInfo, nodes map[gang.UID]string, but gang.UID) {
	for _, info := range pods {
		uid := uidOf(info.GetPod())
		if node := nodes[uid]; node != "" && uid != but {
			t.handle.AddNominatedPod(klog.FromContext(ctx), info, &fwk.NominatingInfo{
				NominatingMode: fwk.ModeOverride, NominatedNodeName: node,
			})
		}
	}
	// What has been called off meanwhile was forgotten too early.
	var off []gang.UID
	t.with(func(b *gang.Book, _ time.Time) {
		for uid, node := range nodes {
			if !b.Keeps(uid, node) {
				off = append(off, uid)
			}
		}
	})
	for _, uid := range off {
		t.handle.DeleteNominatedPodIfExists(&corev1.Pod{ObjectMeta: ofUID(uid)})
	}
}

// only is the one node for a pod.
func only(state fwk.CycleState, p planned) *fwk.PreFilterResult {
	state.Write(plannedKey, p)
	return &fwk.PreFilterResult{NodeNames: sets.New(p.node)}
}

// PostFilter is asked when a pod has found no node. One that was planned for takes its gang with it. Nobody
// is preempted for a member: Takt shrinks jobs instead, so it is told. What this answers is written to the
// API server: the node that a claim keeps for the pod; or that no node is kept for it any more.
func (t *Takt) PostFilter(_ context.Context, state fwk.CycleState, pod *corev1.Pod,
	_ fwk.NodeToStatusReader) (*fwk.PostFilterResult, *fwk.Status) {
	if !t.member(pod) {
		return nil, fwk.NewStatus(fwk.Unschedulable)
	}
	kept := ""
	t.with(func(b *gang.Book, now time.Time) {
		b.Failed(uidOf(pod), plannedIn(state).plan,
			fmt.Sprintf("somebody else was faster on the node of pod %s", pod.Name), now)
		kept = b.Kept(uidOf(pod))
	})
	return &fwk.PostFilterResult{
			NominatingInfo: &fwk.NominatingInfo{NominatingMode: fwk.ModeOverride, NominatedNodeName: kept},
		},
		fwk.NewStatus(fwk.UnschedulableAndUnresolvable)
}
