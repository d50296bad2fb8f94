package plugin

import (
	"encoding/json"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/scheduler/gang"
)

// class are pods of a gang that are alike: what holds for one holds for all, up to what they are to each
// other.
type class struct {
	pods  []fwk.PodInfo
	takes fwk.Resource
	gpus  int
	state fwk.CycleState
	only  sets.Set[string] // nodes; nil for all
	no    *fwk.Status      // it can be nowhere
}

// mostKinds is how many kinds of pods a gang may have. A job has a leader, workers and a few others. Whoever makes
// pods of his own that call themselves a gang, each of them different, must not keep all others waiting.
const mostKinds = 16

// gather sorts the pods into classes, and lets all other plugins have their say about each. It says why, if there are
// too many, or one of the pods is held back.
func (tr *trial) gather(pods []gang.Pod) (why string, err error) {
	byKind := map[string]*class{}
	for _, p := range pods {
		tr.t.mu.Lock()
		pod := tr.t.pods[p.UID]
		tr.t.mu.Unlock()
		if pod == nil {
			return "", fmt.Errorf("pod %s has just gone", p.Name)
		}
		if why := tr.t.heldBack(tr.ctx, pod); why != "" {
			tr.held = true
			return why, nil
		}
		info, err := framework.NewPodInfo(pod)
		if err != nil {
			return "", fmt.Errorf("pod %s: %w", p.Name, err)
		}
		takes := info.CalculateResource().Resource
		kind, err := kindOf(pod, takes, tr.t.places(pod))
		if err != nil {
			return "", fmt.Errorf("pod %s: %w", p.Name, err)
		}
		c := byKind[kind]
		if c == nil {
			c = &class{takes: takes}
			for _, name := range tr.t.settings.Packing.Resources {
				if n := takes.GetScalarResources()[corev1.ResourceName(name)]; n > 0 {
					c.gpus, tr.gpu = int(n), corev1.ResourceName(name)
				}
			}
			byKind[kind] = c
			tr.classes = append(tr.classes, c)
		}
		c.pods = append(c.pods, info)
		if len(tr.classes) > mostKinds {
			return fmt.Sprintf("the pods of the gang ask for more than %d different things or places: let those of a role be "+
				"alike, or take the label %s off them",
				mostKinds, v1alpha1.EpochLabel), nil
		}
	}
	tr.sort()
	for _, c := range tr.classes {
		c.state = framework.NewCycleState()
		c.state.Write(tried, isTried{})
		result, status, _ := tr.t.all.RunPreFilterPlugins(tr.ctx, c.state, c.pods[0].GetPod())
		switch {
		case status.IsSuccess():
			if !result.AllNodes() {
				c.only = result.NodeNames
			}
		case status.IsRejected():
			c.no = status
		default:
			return "", status.AsError()
		}
	}
	return "", nil
}

// kindOf tells pods apart that may not stand for each other: those of different roles, that ask for different things,
// that may go to different nodes, or have something at different places. What the filters keep of one is asked about
// all of its class.
func kindOf(pod *corev1.Pod, takes fwk.Resource, has []any) (string, error) {
	places, err := json.Marshal([]any{
		pod.Spec.NodeSelector, pod.Spec.Affinity, pod.Spec.Tolerations, pod.Spec.TopologySpreadConstraints, has,
	})
	return fmt.Sprint(pod.Labels[v1alpha1.RoleLabel], takes.GetMilliCPU(), takes.GetMemory(), takes.GetEphemeralStorage(),
		takes.GetScalarResources(), string(places)), err
}

// sort puts those last who will not be beside certain others. They see who is there already; those who come to
// them have no reason to look, and would learn only in earnest that they are not wanted. And it settles which
// GPUs the gang is packed by, if it uses several kinds: those of the last class that has any.
func (tr *trial) sort() {
	slices.SortStableFunc(tr.classes, func(a, b *class) int { return a.keepsApart() - b.keepsApart() })
	for _, c := range tr.classes {
		if c.takes.GetScalarResources()[tr.gpu] == 0 {
			c.gpus = 0
		}
	}
}

// keepsApart is 1 for pods that will not be beside certain others.
func (c *class) keepsApart() int {
	if a := c.pods[0].GetPod().Spec.Affinity; a != nil && a.PodAntiAffinity != nil {
		return 1
	}
	return 0
}
