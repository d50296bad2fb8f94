package training

import (
	"context"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
)

// listen sees to it that every change of a job or of its pods wakes the one who plays it.
func (t *player) listen(ctx context.Context) error {
	on := func(of func(any) (key, bool)) toolscache.ResourceEventHandler {
		wake := func(object any) {
			if gone, ok := object.(toolscache.DeletedFinalStateUnknown); ok {
				object = gone.Obj
			}
			if k, ok := of(object); ok {
				t.wake(k)
			}
		}
		return toolscache.ResourceEventHandlerFuncs{
			AddFunc: wake, DeleteFunc: wake, UpdateFunc: func(_, object any) { wake(object) },
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(groupOf)) {
		informer, err := t.cache.GetInformer(ctx, emptyJob(kind), cache.BlockUntilSynced(false))
		if err != nil {
			return err
		}
		if _, err := informer.AddEventHandler(on(func(object any) (key, bool) {
			job, ok := object.(*unstructured.Unstructured)
			if !ok {
				return key{}, false
			}
			return key{job.GetKind(), job.GetNamespace(), job.GetName()}, true
		})); err != nil {
			return err
		}
	}
	informer, err := t.cache.GetInformer(ctx, &corev1.Pod{}, cache.BlockUntilSynced(false))
	if err != nil {
		return err
	}
	_, err = informer.AddEventHandler(on(func(object any) (key, bool) {
		pod, ok := object.(*corev1.Pod)
		if !ok {
			return key{}, false
		}
		return jobOf(pod)
	}))
	return err
}

func emptyJob(kind string) *unstructured.Unstructured {
	job := &unstructured.Unstructured{}
	job.SetGroupVersionKind(schema.GroupVersionKind{Group: groupOf[kind], Version: "v1", Kind: kind})
	return job
}

func (t *player) wake(k key) {
	t.mutex.Lock()
	t.dirty[k] = true
	t.mutex.Unlock()
	select {
	case t.woken <- struct{}{}:
	default:
	}
}

// woke takes those who were woken.
func (t *player) woke() []key {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	keys := make([]key, 0, len(t.dirty))
	for k := range t.dirty {
		keys = append(keys, k)
	}
	clear(t.dirty)
	slices.SortFunc(keys, compareKeys)
	return keys
}
