package plugin

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"

	"github.com/takt-dev/takt/scheduler/pack"
)

var (
	_ fwk.PreScorePlugin = &Takt{}
	_ fwk.ScorePlugin    = &Takt{}
)

// wants is what a pod that is scored wants of the GPUs of a node.
type wants struct {
	gpu   corev1.ResourceName
	count int
}

func (w wants) Clone() fwk.StateData { return w }

const wantsKey fwk.StateKey = "takt.dev/wants"

// PreScore steps aside for pods without a GPU, and for those that belong to others. Members of gangs do
// not come here: each has one node only.
func (t *Takt) PreScore(_ context.Context, state fwk.CycleState, pod *corev1.Pod, _ []fwk.NodeInfo) *fwk.Status {
	if foreign(pod) || !t.mentionsGPUs(pod) {
		return fwk.NewStatus(fwk.Skip)
	}
	info, err := framework.NewPodInfo(pod)
	if err != nil {
		return fwk.AsStatus(err)
	}
	scalars := info.CalculateResource().Resource.GetScalarResources()
	for _, name := range t.settings.Packing.Resources {
		if n := scalars[corev1.ResourceName(name)]; n > 0 {
			state.Write(wantsKey, wants{corev1.ResourceName(name), int(n)})
			return nil
		}
	}
	return fwk.NewStatus(fwk.Skip)
}

// Score prefers nodes on which a pod leaves the least waste behind, and of those the busier.
func (t *Takt) Score(_ context.Context, state fwk.CycleState, _ *corev1.Pod, info fwk.NodeInfo) (int64, *fwk.Status) {
	stored, err := state.Read(wantsKey)
	if err != nil {
		return 0, nil
	}
	w := stored.(wants)
	free := gpusFree(info, w.gpu)
	return score(free, w.count), nil
}

// score is between 0 and 100. Waste is at most 11, so it changes by at most that.
func score(free, takes int) int64 {
	const worst = 11
	left := max(free-takes, 0)
	better := worst - (pack.Waste(left) - pack.Waste(free)) // 0 to 22
	return int64(better*4 + worst - min(left, worst))
}

// ScoreExtensions are none: the scores are on the scale of the framework.
func (*Takt) ScoreExtensions() fwk.ScoreExtensions { return nil }
