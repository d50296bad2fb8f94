package progress

import (
	"errors"
	"maps"
	"net/http"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// kubelets are those that the API server does not reach. One pod of a namespace asks for all of that namespace on such
// a node which have found it silent themselves, and the first that is answered, of whichever namespace, has all of them
// read at once. So nobody is read later than he would be if each asked for himself, no tenant silences the pods of
// another, and a pod that nobody has asked for yet is asked for.
type kubelets struct {
	mu     sync.Mutex
	silent map[string]map[string]*silence // by node and namespace; at most maxMemory nodes
	// heard are pods whose kubelet answers again, until they are read; at most maxMemory.
	heard map[types.UID]bool
}

// silence is what the pods of one namespace have found of the kubelet of one node.
type silence struct {
	at    time.Time // when it was found last
	until time.Time // when one of them asks next, which is by
	by    types.UID
	pods  map[types.UID]*silenced
}

// silenced is one that has found its kubelet silent.
type silenced struct {
	job    types.NamespacedName
	err    error     // what it has found
	at     time.Time // when it has asked last, or not asked as another did
	inTurn int       // how often in turn others have asked for it
}

const (
	// mostInTurn is how often in turn others ask for a pod, so that each does in its turn: what is wrong with one pod may
	// look as if its node were silent.
	mostInTurn = 7
	// forgotten is for how long nobody has to look at a pod that is taken to be gone: longer than any looks at pods are
	// apart.
	forgotten = 2 * time.Hour
)

func newKubelets() *kubelets {
	return &kubelets{silent: map[string]map[string]*silence{}, heard: map[types.UID]bool{}}
}

// rests is what a pod has found last, if another asks for it in time; nil if it is to ask itself. In time is as soon
// after its kubelet may have begun to answer as the pod itself is read again.
func (k *kubelets) rests(t Target, pod *corev1.Pod) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	of := k.silent[pod.Spec.NodeName][pod.Namespace]
	if of == nil || of.by == pod.UID || !t.Now.Before(of.until) || of.until.After(of.at.Add(t.Again)) {
		return nil
	}
	one := of.pods[pod.UID]
	if one == nil || one.inTurn >= mostInTurn {
		return nil
	}
	one.at = t.Now
	one.inTurn++
	return one.err
}

// finds takes what came of asking for a pod, and says which jobs are to be read now, as their kubelet answers.
func (k *kubelets) finds(t Target, pod *corev1.Pod, err error) (again []types.NamespacedName) {
	node := pod.Spec.NodeName
	k.mu.Lock()
	defer k.mu.Unlock()
	switch of := k.silent[node]; {
	case notReached(err):
		k.take(t, pod, err)
	case err == nil && of != nil:
		for _, others := range of {
			for uid, other := range others.pods {
				if uid != pod.UID {
					keep(k.heard, uid, true)
					again = append(again, other.job)
				}
			}
		}
		delete(k.silent, node)
	case of[pod.Namespace] != nil: // whoever has said that need not be the kubelet
		delete(of[pod.Namespace].pods, pod.UID)
	}
	return again
}

// take takes that the kubelet of a pod was not reached.
func (k *kubelets) take(t Target, pod *corev1.Pod, err error) {
	node, now := pod.Spec.NodeName, t.Now
	if k.silent[node] == nil {
		keep(k.silent, node, map[string]*silence{})
	}
	of := k.silent[node][pod.Namespace]
	if of == nil {
		of = &silence{pods: map[types.UID]*silenced{}}
		k.silent[node][pod.Namespace] = of
	}
	next := now.Add(t.Next)
	if t.Next > 0 && (of.by == pod.UID || !now.Before(of.until) || next.Before(of.until)) {
		of.until, of.by = next, pod.UID
	}
	of.at = now
	maps.DeleteFunc(of.pods, func(_ types.UID, other *silenced) bool { return now.Sub(other.at) > forgotten })
	maps.DeleteFunc(k.silent[node], func(_ string, other *silence) bool { return now.Sub(other.at) > forgotten })
	job := types.NamespacedName{Namespace: t.Namespace, Name: t.Name}
	of.pods[pod.UID] = &silenced{job: job, err: inWords(err), at: now}
}

// answers says that the kubelet of a pod answers again that the pod has found silent, and nobody has read it since.
func (k *kubelets) answers(pod *corev1.Pod) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.heard[pod.UID]
}

// isRead takes that pods were read.
func (k *kubelets) isRead(pods []*corev1.Pod) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, pod := range pods {
		delete(k.heard, pod.UID)
	}
}

// notReached says that the API server did not reach a kubelet: what a kubelet itself says, even that it failed, comes
// with a reason.
func notReached(err error) bool {
	said, is := errors.AsType[*apierrors.StatusError](err)
	return is && said.ErrStatus.Code == http.StatusInternalServerError &&
		said.ErrStatus.Reason == metav1.StatusReasonUnknown
}
