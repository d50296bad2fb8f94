package scheduler

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/schedulerprocess"
)

var nothing = fields.Everything()

// pod is a pod for a scheduler, with a resource of which it takes so much.
func pod(scheduler, name string, takes corev1.ResourceName, amount string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: metav1.NamespaceDefault},
		Spec: corev1.PodSpec{
			SchedulerName: scheduler,
			Containers: []corev1.Container{{
				Name: "main", Image: "example.com/main:1",
				Resources: corev1.ResourceRequirements{
					Limits: corev1.ResourceList{takes: resource.MustParse(amount)}, Requests: corev1.ResourceList{
						takes: resource.MustParse(amount),
					},
				},
			}},
		},
	}
}

// plain are pods of no gang.
func plain(scheduler string, count int) (all []*corev1.Pod) {
	for i := range count {
		all = append(all, pod(scheduler, fmt.Sprintf("plain-%d", i), corev1.ResourceCPU, "100m"))
	}
	return all
}

// gang are the pods of one job; with Takt, one that has a Resize.
func (p *place) gang(scheduler string, takt bool, job, size int) (all []*corev1.Pod) {
	p.b.Helper()
	name := fmt.Sprintf("job%d", job)
	for i := range size {
		worker := pod(scheduler, fmt.Sprintf("%s-worker-%d", name, i), "nvidia.com/gpu", "1")
		if takt {
			schedulerprocess.Member(p.b, worker, name, i, v1alpha1.Gang{Epoch: 1, Pods: int32(size)})
		}
		all = append(all, worker)
	}
	if takt {
		err := p.objects.Create(p.b.Context(), &v1alpha1.Resize{
			ObjectMeta: metav1.ObjectMeta{Name: name + "-1", Namespace: metav1.NamespaceDefault},
			Spec: v1alpha1.ResizeSpec{
				ElasticJob: name, Epoch: 1, To: int32(size), Mode: v1alpha1.ResizeLive, Reason: v1alpha1.ReasonStarted,
			},
		})
		if err != nil {
			p.b.Fatal(err)
		}
	}
	return all
}

// span is when the first and the last of what was bound were.
func (p *place) span() (first, last time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, at := range p.bound {
		if first.IsZero() || at.Before(first) {
			first = at
		}
		if at.After(last) {
			last = at
		}
	}
	return first, last
}

// wholeAt is when the last of some pods was bound.
func (p *place) wholeAt(pods []*corev1.Pod) time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	var last time.Time
	for _, pod := range pods {
		if at := p.bound[pod.Name]; at.After(last) {
			last = at
		}
	}
	return last
}
