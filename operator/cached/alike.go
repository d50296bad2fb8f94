package cached

import (
	"sync"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/operator/kind/known"
)

const (
	// mostAlike bounds how many different specs of pods are kept for others to share, and longestAlike how long one may
	// be: what is kept stays when its pods have gone, and tenants write it.
	mostAlike    = 2000
	longestAlike = 4 << 10
)

// alike has the pods of a job share what is kept of their specs: but for the node, it is the same in thousands of them.
// So it has the templates of jobs that are alike.
type alike struct {
	mu    sync.Mutex
	specs map[string]corev1.PodSpec
}

// trimPod leaves of a pod what Takt looks at, and one of each spec.
func (a *alike) trimPod(object any) (any, error) {
	trimmed := trimPod(object)
	pod, ok := trimmed.(*corev1.Pod)
	if !ok {
		return trimmed, nil
	}
	node := pod.Spec.NodeName
	pod.Spec.NodeName = ""
	a.share(&pod.Spec)
	pod.Spec.NodeName = node
	return pod, nil
}

// trimJob leaves of anything what trimAny leaves, and one of what the templates of jobs say. The templates themselves
// stay: who keeps something of the template of a job has its address for it.
func (a *alike) trimJob(object any) (any, error) {
	for _, template := range known.Templates(object) {
		a.share(&template.Spec)
	}
	return trimAny(object)
}

// share has a spec be one with others that say the same.
func (a *alike) share(spec *corev1.PodSpec) {
	if text, err := spec.Marshal(); err == nil && len(text) <= longestAlike {
		*spec = a.one(string(text), *spec)
	}
}

// one is the spec that was the first of its text.
func (a *alike) one(text string, spec corev1.PodSpec) corev1.PodSpec {
	a.mu.Lock()
	defer a.mu.Unlock()
	if kept, known := a.specs[text]; known {
		return kept
	}
	if a.specs == nil || len(a.specs) >= mostAlike {
		a.specs = map[string]corev1.PodSpec{}
	}
	a.specs[text] = spec
	return spec
}
