package cached

import (
	"crypto/sha256"
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
// The templates of jobs share theirs in the same way.
type alike struct {
	mu    sync.Mutex
	specs map[[sha256.Size]byte]corev1.PodSpec
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
// stay: package capacity tells them by their addresses.
func (a *alike) trimJob(object any) (any, error) {
	for _, template := range known.Templates(object) {
		a.share(&template.Spec)
	}
	return trimAny(object)
}

// share has a spec be one with others that say the same.
func (a *alike) share(spec *corev1.PodSpec) {
	if spec.Size() > longestAlike {
		return
	}
	if text, err := spec.Marshal(); err == nil {
		*spec = a.one(sha256.Sum256(text), *spec)
	}
}

// one is the spec that was the first with its sum.
func (a *alike) one(sum [sha256.Size]byte, spec corev1.PodSpec) corev1.PodSpec {
	a.mu.Lock()
	defer a.mu.Unlock()
	if kept, known := a.specs[sum]; known {
		return kept
	}
	if a.specs == nil || len(a.specs) >= mostAlike {
		a.specs = map[[sha256.Size]byte]corev1.PodSpec{}
	}
	a.specs[sum] = spec
	return spec
}
