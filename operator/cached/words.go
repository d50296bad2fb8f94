package cached

import (
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/takt-dev/takt/api/v1alpha1"
)

const (
	// mostWords bounds how many words are known at a time, and longestWord how long one may be: tenants write them.
	mostWords   = 4096
	longestWord = 128
)

// words has thousands of objects share the words in which they say the same: labels and the keys of annotations,
// namespaces and nodes, types and reasons of conditions. Where there are too many, those are forgotten that nobody has
// said for a while.
type words struct {
	mu            sync.Mutex
	known, before map[string]string
}

// in has what is left of an object say it in shared words.
func (w *words) in(trim cache.TransformFunc) cache.TransformFunc {
	return func(object any) (any, error) {
		trimmed, err := trim(object)
		if err == nil {
			w.share(trimmed)
		}
		return trimmed, err
	}
}

func (w *words) share(object any) {
	o, err := meta.Accessor(object)
	if err != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	o.SetNamespace(w.one(o.GetNamespace()))
	o.SetLabels(w.of(o.GetLabels(), true))
	o.SetAnnotations(w.of(o.GetAnnotations(), false))
	owners := o.GetOwnerReferences()
	for i := range owners {
		owners[i].APIVersion, owners[i].Kind = w.one(owners[i].APIVersion), w.one(owners[i].Kind)
	}
	o.SetOwnerReferences(owners)
	switch o := object.(type) {
	case *corev1.Pod:
		o.Spec.NodeName = w.one(o.Spec.NodeName)
		o.Status.Phase = corev1.PodPhase(w.one(string(o.Status.Phase)))
	case *v1alpha1.ElasticJob:
		o.Spec.JobRef.APIVersion, o.Spec.JobRef.Kind = w.one(o.Spec.JobRef.APIVersion), w.one(o.Spec.JobRef.Kind)
		o.Spec.Queue, o.Spec.Profile = w.one(o.Spec.Queue), w.one(o.Spec.Profile)
		o.Status.Conditions = w.conditions(o.Status.Conditions)
	}
}

// of are labels or annotations, of which the values are not all alike.
func (w *words) of(all map[string]string, values bool) map[string]string {
	if all == nil {
		return nil
	}
	same := make(map[string]string, len(all))
	for key, value := range all {
		if values {
			value = w.one(value)
		}
		same[w.one(key)] = value
	}
	return same
}

func (w *words) conditions(all []metav1.Condition) []metav1.Condition {
	if len(all) == 0 {
		return all
	}
	same := make([]metav1.Condition, len(all)) // and no more: what was read may have room for others
	for i, c := range all {
		c.Type, c.Reason = w.one(c.Type), w.one(c.Reason)
		c.Status = metav1.ConditionStatus(w.one(string(c.Status)))
		same[i] = c
	}
	return same
}

// one is the word that was the first to be the same.
func (w *words) one(word string) string {
	if word == "" || len(word) > longestWord {
		return word
	}
	if kept, known := w.known[word]; known {
		return kept
	}
	kept, known := w.before[word]
	if !known {
		kept = strings.Clone(word) // and not all that it was cut out of
	}
	if len(w.known) >= mostWords {
		w.before, w.known = w.known, nil
	}
	if w.known == nil {
		w.known = map[string]string{}
	}
	w.known[kept] = kept
	return kept
}
