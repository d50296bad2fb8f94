package plugin

import (
	"context"
	"fmt"
	"maps"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	fwk "k8s.io/kube-scheduler/framework"
)

// zoned is a stage whose filters keep count of the pods in each zone, as that of topology spread constraints does.
type zoned struct {
	*stage
	zones int
}

// zone of a node: they take turns.
func (z *zoned) zone(node int) string { return fmt.Sprint("zone-", node%z.zones) }

// newZoned has so many nodes in each zone, of which those of the last have so many GPUs free each.
func newZoned(zones, nodes int, last int64) *zoned {
	z := &zoned{stage: newStage(zones*nodes, func(*corev1.Pod, fwk.NodeInfo) bool { return false }), zones: zones}
	for i, info := range z.nodes {
		info.Node().Labels[corev1.LabelTopologyZone] = z.zone(i)
		if i%zones == zones-1 {
			info.Node().Status.Allocatable["nvidia.com/gpu"] = *resource.NewQuantity(last, resource.DecimalSI)
			info.(interface{ SetNode(*corev1.Node) }).SetNode(info.Node())
		}
	}
	z.takt.handle, z.takt.all = z, z
	return z
}

// counts are the pods in each zone.
type counts map[string]int

func (c counts) Clone() fwk.StateData { return maps.Clone(c) }

func (z *zoned) RunPreFilterPlugins(ctx context.Context, state fwk.CycleState, pod *corev1.Pod) (*fwk.PreFilterResult,
	*fwk.Status, sets.Set[string]) {
	state.Write("zones", counts{})
	return z.stage.RunPreFilterPlugins(ctx, state, pod)
}

func (z *zoned) RunFilterPlugins(ctx context.Context, state fwk.CycleState, pod *corev1.Pod,
	info fwk.NodeInfo) *fwk.Status {
	if status := z.stage.RunFilterPlugins(ctx, state, pod, info); !status.IsSuccess() {
		return status
	}
	if len(pod.Spec.TopologySpreadConstraints) > 0 {
		kept, _ := state.Read("zones")
		if kept.(counts).skew(info.Node().Labels[corev1.LabelTopologyZone], z.zones) > 1 {
			return fwk.NewStatus(fwk.Unschedulable, "node(s) didn't match pod topology spread constraints")
		}
	}
	if gpusFree(info, "nvidia.com/gpu") < 1 {
		return fwk.NewStatus(fwk.Unschedulable, "Insufficient nvidia.com/gpu")
	}
	return nil
}

// skew is what one more pod in a zone makes of it.
func (c counts) skew(in string, zones int) int {
	least := c[in] + 1
	for i := range zones {
		least = min(least, c[fmt.Sprint("zone-", i)])
	}
	return c[in] + 1 - least
}

func (z *zoned) RunFilterPluginsWithNominatedPods(ctx context.Context, state fwk.CycleState, pod *corev1.Pod,
	info fwk.NodeInfo) *fwk.Status {
	return z.RunFilterPlugins(ctx, state, pod, info)
}

func (z *zoned) RunPreFilterExtensionAddPod(_ context.Context, state fwk.CycleState, _ *corev1.Pod, _ fwk.PodInfo,
	info fwk.NodeInfo) *fwk.Status {
	kept, err := state.Read("zones")
	if err != nil {
		return fwk.AsStatus(err)
	}
	kept.(counts)[info.Node().Labels[corev1.LabelTopologyZone]]++
	return nil
}

// oneGPU has a pod ask for one.
func oneGPU(p *corev1.Pod) {
	p.Spec.Containers[0].Resources.Requests = corev1.ResourceList{"nvidia.com/gpu": resource.MustParse("1")}
}

// A gang whose pods must be spread over zones is placed as a whole, and in an order in which none of them is ever
// refused for those that have come before it; if one zone has no room for its part, it is told how many fit.
func TestAGangIsSpreadOverZones(t *testing.T) {
	for name, c := range map[string]struct {
		zones, nodes int
		last         int64
		pods, want   int
	}{
		"two zones":                     {2, 3, 8, 6, 6},
		"three zones":                   {3, 2, 8, 7, 7},
		"many pods":                     {3, 8, 8, 150, 150},
		"the last zone is nearly full":  {2, 1, 1, 6, 3},
		"the last zone is full":         {2, 2, 0, 6, 1},
		"the last zone has just enough": {2, 3, 1, 6, 6},
	} {
		t.Run(name, func(t *testing.T) {
			z := newZoned(c.zones, c.nodes, c.last)
			turn := z.pods(c.pods, func(_ int, p *corev1.Pod) {
				oneGPU(p)
				p.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{
					MaxSkew: 1, TopologyKey: corev1.LabelTopologyZone, WhenUnsatisfiable: corev1.DoNotSchedule,
					LabelSelector: &metav1.LabelSelector{},
				}}
			})
			found, err := z.takt.try(t.Context(), turn)
			if err != nil {
				t.Fatal(err)
			}
			if len(found.nodes) != c.want {
				t.Errorf("%d of %d have a node, want %d: %s", len(found.nodes), c.pods, c.want, found.why)
			}
			if len(found.order) != len(found.nodes) {
				t.Fatalf("%d are put in an order, and %d have a node", len(found.order), len(found.nodes))
			}
			z.comesTrue(t, found)
		})
	}
}

// comesTrue plays what is to come.
func (z *zoned) comesTrue(t *testing.T, found found) {
	t.Helper()
	zoneOf, there := map[string]string{}, counts{}
	for i, info := range z.nodes {
		zoneOf[info.Node().Name] = z.zone(i)
	}
	for _, uid := range found.order {
		zone := zoneOf[found.nodes[uid]]
		if skew := there.skew(zone, z.zones); skew > 1 {
			t.Errorf("%s comes to %s when the zones have %v", uid, zone, there)
		}
		there[zone]++
	}
}

// Pods that each name a zone go there, all or none.
func TestAGangMayNameAZoneForEachPod(t *testing.T) {
	for last, want := range map[int64]int{8: 4, 0: 2} {
		z := newZoned(2, 2, last)
		turn := z.pods(4, func(i int, p *corev1.Pod) {
			oneGPU(p)
			p.Spec.NodeSelector = map[string]string{corev1.LabelTopologyZone: z.zone(i)}
		})
		found, err := z.takt.try(t.Context(), turn)
		if err != nil {
			t.Fatal(err)
		}
		if len(found.nodes) != want {
			t.Errorf("%d GPUs free in the last zone: %d of 4 have a node, want %d: %s", last, len(found.nodes), want, found.why)
		}
		for i, info := range z.nodes {
			for uid, node := range found.nodes {
				if named := z.takt.pods[uid].Spec.NodeSelector[corev1.LabelTopologyZone]; node == info.Node().Name &&
					named != z.zone(i) {
					t.Errorf("%s names %s, and comes to %s", uid, named, z.zone(i))
				}
			}
		}
	}
}
