package crowd

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/e2e/world"
)

// presence is for how long nobody trained of a job since it was submitted, before it began and while it was stopped. What
// comes after the last of its pods is its end, and no waiting.
type presence struct {
	running map[types.UID]bool
	idle    time.Time // since when nobody runs; zero while somebody does
	waited  time.Duration
}

// waits is for how long each job had no worker.
func waits(records []world.Record) map[string]time.Duration {
	jobs := map[string]*presence{}
	for _, r := range records {
		if r.Kind == "PyTorchJob" && jobs[r.Object.GetName()] == nil {
			jobs[r.Object.GetName()] = &presence{running: map[types.UID]bool{}, idle: r.At}
		}
		pod, ok := r.Object.(*corev1.Pod)
		if !ok {
			continue
		}
		if job := jobs[pod.Labels["training.kubeflow.org/job-name"]]; job != nil {
			job.see(pod, r)
		}
	}
	waits := map[string]time.Duration{}
	for name, job := range jobs {
		waits[name] = job.waited
	}
	return waits
}

func (p *presence) see(pod *corev1.Pod, r world.Record) {
	if r.Event == world.Gone || pod.Status.Phase != corev1.PodRunning {
		delete(p.running, pod.UID)
	} else {
		p.running[pod.UID] = true
	}
	switch some := len(p.running) > 0; {
	case some && !p.idle.IsZero():
		p.waited, p.idle = p.waited+r.At.Sub(p.idle), time.Time{}
	case !some && p.idle.IsZero():
		p.idle = r.At
	}
}
