package plugin

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/util/workqueue"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/scheduler/gang"
	"github.com/takt-dev/takt/scheduler/settings"
)

// stage is a cluster in which gangs are tried. Each time a filter is asked takes a millisecond of a clock of its own.
type stage struct {
	fwk.Handle
	nodes   snapshot
	refuses func(*corev1.Pod, fwk.NodeInfo) bool
	kept    func(*corev1.Pod) map[string]string // labels of the nodes that a pod may go to
	store   *store
	held    []fwk.PreEnqueuePlugin
	asked   atomic.Int64
	takt    *Takt
}

func newStage(nodes int, refuses func(*corev1.Pod, fwk.NodeInfo) bool) *stage {
	s := &stage{refuses: refuses, kept: func(pod *corev1.Pod) map[string]string { return pod.Spec.NodeSelector }}
	for i := range nodes {
		info := framework.NewNodeInfo()
		node := &corev1.Node{}
		node.Name = fmt.Sprint("node-", i)
		node.Labels = map[string]string{"name": node.Name}
		node.Status.Allocatable = corev1.ResourceList{
			corev1.ResourceCPU: resource.MustParse("1000"), corev1.ResourcePods: resource.MustParse("110"),
			"nvidia.com/gpu": resource.MustParse("8"),
		}
		info.SetNode(node)
		s.nodes = append(s.nodes, info)
	}
	s.takt = &Takt{sharedState: &sharedState{settings: settings.Default(), pods: map[gang.UID]*corev1.Pod{}, clock: s.now},
		handle: s, all: s}
	return s
}

func (s *stage) now() time.Time { return noon.Add(time.Duration(s.asked.Load()) * time.Millisecond) }

// pods are so many workers, each with what is peculiar to it.
func (s *stage) pods(n int, peculiar func(i int, pod *corev1.Pod)) (turn gang.Turn) {
	for i := range n {
		pod := worker(func(p *corev1.Pod) {
			p.Name, p.UID = fmt.Sprint("worker-", i), types.UID(fmt.Sprint("u", i))
			p.Spec.Containers = []corev1.Container{{Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{}}}}
			peculiar(i, p)
		})
		s.takt.pods[uidOf(pod)] = pod
		turn.Try = append(turn.Try, gang.Pod{UID: uidOf(pod), Name: pod.Name})
	}
	return turn
}

// snapshot are the nodes as a gang finds them.
type snapshot []fwk.NodeInfo

type lister struct {
	fwk.SharedLister
	fwk.NodeInfoLister
	nodes snapshot
}

func (l lister) NodeInfos() fwk.NodeInfoLister { return l }
func (l lister) List() ([]fwk.NodeInfo, error) { return l.nodes, nil }

func (s *stage) SnapshotSharedLister() fwk.SharedLister { return lister{nodes: s.nodes} }
func (s *stage) Parallelizer() fwk.Parallelizer         { return s }

func (s *stage) PreEnqueuePlugins() []fwk.PreEnqueuePlugin { return s.held }
func (s *stage) SharedInformerFactory() informers.SharedInformerFactory {
	return s.store.SharedInformerFactory
}
func (s *stage) SharedDRAManager() fwk.SharedDRAManager { return s.store }

func (s *stage) Until(_ context.Context, pieces int, do workqueue.DoWorkPieceFunc, _ string) {
	for i := range pieces {
		do(i)
	}
}

// chosen is what the filters keep of a pod, as kube-scheduler's do: of the one that speaks for its class.
type chosen map[string]string

func (c chosen) Clone() fwk.StateData { return c }

func (s *stage) RunPreFilterPlugins(_ context.Context, state fwk.CycleState, pod *corev1.Pod) (*fwk.PreFilterResult,
	*fwk.Status, sets.Set[string]) {
	state.Write("chosen", chosen(s.kept(pod)))
	return nil, nil, nil
}

func (s *stage) RunFilterPlugins(_ context.Context, state fwk.CycleState, pod *corev1.Pod,
	info fwk.NodeInfo) *fwk.Status {
	s.asked.Add(1)
	kept, err := state.Read("chosen")
	if err != nil {
		return fwk.AsStatus(err)
	}
	for key, value := range kept.(chosen) {
		if info.Node().Labels[key] != value {
			return fwk.NewStatus(fwk.UnschedulableAndUnresolvable, "another node is chosen")
		}
	}
	if s.refuses(pod, info) {
		return fwk.NewStatus(fwk.Unschedulable, "refused")
	}
	return nil
}

func (s *stage) RunFilterPluginsWithNominatedPods(ctx context.Context, state fwk.CycleState, pod *corev1.Pod,
	info fwk.NodeInfo) *fwk.Status {
	return s.RunFilterPlugins(ctx, state, pod, info)
}

func (s *stage) RunPreFilterExtensionAddPod(context.Context, fwk.CycleState, *corev1.Pod, fwk.PodInfo,
	fwk.NodeInfo) *fwk.Status {
	return nil
}

func cpu(milli int) corev1.ResourceList {
	return corev1.ResourceList{corev1.ResourceCPU: *resource.NewMilliQuantity(int64(milli), resource.DecimalSI)}
}

// All others wait while a gang is tried. A gang of as many kinds of pods as are allowed, which are in each other's way
// on every node, is tried for a limited time: longer than that takes only what is done once for each pod, or
// once for each kind and node.
func TestAGangIsTriedForALimitedTime(t *testing.T) {
	const kinds, nodes, room = mostKinds, 200, 8
	s := newStage(nodes, func(_ *corev1.Pod, info fwk.NodeInfo) bool { return len(info.GetPods()) >= room-1 })
	turn := s.pods(nodes*room, func(i int, p *corev1.Pod) { p.Spec.Containers[0].Resources.Requests = cpu(1 + i%kinds) })
	found, err := s.takt.try(t.Context(), turn)
	if err != nil {
		t.Fatal(err)
	}
	once := kinds*nodes + len(turn.Try)
	if most := int64(once) + mostTime.Milliseconds(); s.asked.Load() > most {
		t.Errorf("the filters are asked %d times, want at most %d", s.asked.Load(), most)
	}
	if want := "there was no time to try more"; !strings.Contains(found.why, want) {
		t.Errorf("it is told %q, which does not say that %s", found.why, want)
	}
	if want := kinds * (room - 1); len(found.nodes) < want { // each kind has found a node at first
		t.Errorf("%d pods are said to fit, want %d at least", len(found.nodes), want)
	}
	before := s.asked.Load()
	if found.trial.emptied(); s.asked.Load()-before > mostTime.Milliseconds()+1 {
		t.Errorf("for a claim the filters are asked %d times more", s.asked.Load()-before)
	}
}

// However long it takes, a gang that gets along as its resources say is placed.
func TestALargeGangThatGetsAlongIsPlacedHoweverLongThatTakes(t *testing.T) {
	s := newStage(400, func(*corev1.Pod, fwk.NodeInfo) bool { return false })
	turn := s.pods(3200, func(_ int, p *corev1.Pod) {
		p.Spec.Containers[0].Resources.Requests = corev1.ResourceList{"nvidia.com/gpu": resource.MustParse("1")}
	})
	found, err := s.takt.try(t.Context(), turn)
	if err != nil || len(found.nodes) != len(turn.Try) {
		t.Errorf("%d of %d have a node (%v): %s", len(found.nodes), len(turn.Try), err, found.why)
	}
}

// Pods of one role that ask for the same may still go to different nodes: each is asked for by itself then.
func TestPodsThatMayGoToDifferentNodesAreNoOneKind(t *testing.T) {
	for name, c := range map[string]struct {
		peculiar func(i int, pod *corev1.Pod)
		want     int
	}{
		"alike": {func(i int, p *corev1.Pod) { p.Labels[indexLabel] = fmt.Sprint(i) }, 1},
		"node selectors": {func(i int, p *corev1.Pod) {
			p.Spec.NodeSelector = map[string]string{"name": fmt.Sprint("node-", i)}
		}, 3},
		"tolerations": {func(i int, p *corev1.Pod) { p.Spec.Tolerations = []corev1.Toleration{{Key: fmt.Sprint(i)}} }, 3},
		"affinity": {func(i int, p *corev1.Pod) {
			near := &corev1.NodeAffinity{}
			near.RequiredDuringSchedulingIgnoredDuringExecution = &corev1.NodeSelector{
				NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchFields: []corev1.NodeSelectorRequirement{{Key: fmt.Sprint(i)}}}},
			}
			p.Spec.Affinity = &corev1.Affinity{NodeAffinity: near}
		}, 3},
		"the same affinity": {func(_ int, p *corev1.Pod) {
			apart := &corev1.PodAntiAffinity{}
			apart.RequiredDuringSchedulingIgnoredDuringExecution = []corev1.PodAffinityTerm{{TopologyKey: corev1.LabelHostname}}
			p.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: apart}
		}, 1},
		"spread": {func(i int, p *corev1.Pod) {
			p.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{MaxSkew: int32(i + 1)}}
		}, 3},
	} {
		s := newStage(3, func(*corev1.Pod, fwk.NodeInfo) bool { return false })
		found, err := s.takt.try(t.Context(), s.pods(3, c.peculiar))
		if err != nil {
			t.Fatal(err)
		}
		if got := len(found.trial.classes); got != c.want {
			t.Errorf("%s: there are %d kinds, want %d", name, got, c.want)
		}
		if len(found.nodes) != 3 {
			t.Errorf("%s: %d of 3 have a node: %s", name, len(found.nodes), found.why)
		}
		for uid, node := range found.nodes {
			if where := s.takt.pods[uid].Spec.NodeSelector["name"]; where != "" && where != node {
				t.Errorf("%s: %s is to go to %s, but may go to %s only", name, uid, node, where)
			}
		}
	}
}

// Racks are numbered anew in each zone of many clusters: one of a zone is none of another.
func TestRacksOfTheSameNameInTwoZonesAreTwo(t *testing.T) {
	for name, c := range map[string]struct {
		zones []string
		want  int
	}{
		"two zones": {[]string{"a", "a", "b", "b"}, 2},
		"one zone":  {[]string{"a", "a", "a", "a"}, 4},
		"none":      {make([]string, 4), 4},
	} {
		s := newStage(4, func(_ *corev1.Pod, info fwk.NodeInfo) bool { return len(info.GetPods()) > 0 })
		for i, zone := range c.zones {
			s.nodes[i].Node().Labels["topology.kubernetes.io/rack"] = "1"
			s.nodes[i].Node().Labels[corev1.LabelTopologyZone] = zone
		}
		found, err := s.takt.try(t.Context(), s.pods(4, func(_ int, p *corev1.Pod) {
			p.Annotations[v1alpha1.TopologyRequiredAnnotation] = "rack"
			p.Spec.Containers[0].Resources.Requests = corev1.ResourceList{"nvidia.com/gpu": resource.MustParse("8")}
		}))
		if err != nil || len(found.nodes) != c.want {
			t.Errorf("%s: %d of 4 pods fit in one rack (%v), want %d", name, len(found.nodes), err, c.want)
		}
	}
}

// keeper is a plugin that holds a pod back.
type keeper string

func (keeper) Name() string { return "Keeper" }

func (k keeper) PreEnqueue(_ context.Context, pod *corev1.Pod) *fwk.Status {
	if pod.Name == string(k) {
		return fwk.NewStatus(fwk.UnschedulableAndUnresolvable, "it is not its time")
	}
	return nil
}

// Nodes that are planned for a pod which another plugin holds back would be kept from others for nothing, again and
// again.
func TestNothingIsPlannedForAGangOfWhichAPodIsHeldBack(t *testing.T) {
	s := newStage(3, func(*corev1.Pod, fwk.NodeInfo) bool { return false })
	s.held = []fwk.PreEnqueuePlugin{&Gate{}, keeper("worker-2")}
	found, err := s.takt.try(t.Context(), s.pods(3, func(int, *corev1.Pod) {}))
	if want := "Pod worker-2 is held back by plugin Keeper: it is not its time"; err != nil || found.why != want ||
		len(found.nodes) > 0 {
		t.Errorf("%d of 3 have a node (%v): %q, want %q", len(found.nodes), err, found.why, want)
	}
	s.held = []fwk.PreEnqueuePlugin{&Gate{}, keeper("another")}
	if found, err = s.takt.try(t.Context(), s.pods(3, func(int, *corev1.Pod) {})); err != nil || len(found.nodes) < 3 {
		t.Errorf("%d of 3 have a node (%v): %s", len(found.nodes), err, found.why)
	}
}
