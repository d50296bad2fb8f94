package load

import (
	"math"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/e2e/lib/world"
)

// Use is what GPUs were used for: each pod has one.
type Use struct {
	// Training is the GPU time of pods whose job trained, and Held that of all others that had a node.
	Training, Held time.Duration
	// Waited is for how long each job did not train, from when it was submitted until it ended or the play did.
	Waited map[string]time.Duration
}

// crew are the pods of a job that have a node, and of these those that run.
type crew struct {
	needs          int
	placed, active map[types.UID]bool
	idle           time.Time // since when it does not train; zero while it does, and once its job is over
	waited         time.Duration
}

func (c *crew) trains() int {
	if len(c.active) < c.needs {
		return 0
	}
	return len(c.active)
}

// UseOf goes through all that has happened until a moment to jobs that need so many workers to train.
func UseOf(records []world.Record, needs map[string]int, until time.Time) (u Use) {
	crews := map[string]*crew{}
	var at time.Time
	trains, placed := 0, 0
	for _, r := range records {
		c := crews[jobOf(r)]
		if c == nil {
			c = &crew{needs: needs[jobOf(r)], placed: map[types.UID]bool{}, active: map[types.UID]bool{}, idle: r.At}
			if c.needs == 0 {
				continue
			}
			crews[jobOf(r)] = c
		}
		if !at.IsZero() {
			u.Training += time.Duration(trains) * r.At.Sub(at)
			u.Held += time.Duration(placed-trains) * r.At.Sub(at)
		}
		at = r.At
		trains, placed = trains-c.trains(), placed-len(c.placed)
		c.see(r)
		trains, placed = trains+c.trains(), placed+len(c.placed)
	}
	u.Training += time.Duration(trains) * until.Sub(at)
	u.Held += time.Duration(placed-trains) * until.Sub(at)
	u.Waited = map[string]time.Duration{}
	for name, c := range crews {
		c.wait(until, false)
		u.Waited[name] = c.waited
	}
	return u
}

// jobOf is the PyTorchJob that something has happened to.
func jobOf(r world.Record) string {
	switch object := r.Object.(type) {
	case *corev1.Pod:
		return object.Labels["training.kubeflow.org/job-name"]
	case *unstructured.Unstructured:
		return object.GetName()
	}
	return ""
}

func (c *crew) see(r world.Record) {
	switch object := r.Object.(type) {
	case *corev1.Pod:
		c.seePod(object, r.Event == world.Gone)
		c.wait(r.At, c.trains() == 0 && object.Status.Phase != corev1.PodSucceeded) // whose job is about to end
	case *unstructured.Unstructured:
		if world.Ended(object, "Succeeded") == nil {
			c.wait(r.At, false)
			c.needs = math.MaxInt // it trains no more
		}
	}
}

// wait says whether it waits from now on.
func (c *crew) wait(now time.Time, waits bool) {
	switch {
	case waits && c.idle.IsZero() && c.needs < math.MaxInt:
		c.idle = now
	case !waits && !c.idle.IsZero():
		c.waited, c.idle = c.waited+now.Sub(c.idle), time.Time{}
	}
}

func (c *crew) seePod(pod *corev1.Pod, gone bool) {
	delete(c.placed, pod.UID)
	delete(c.active, pod.UID)
	if over := pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed; gone || over ||
		pod.Spec.NodeName == "" {
		return
	}
	c.placed[pod.UID] = true
	if pod.Status.Phase == corev1.PodRunning && pod.DeletionTimestamp == nil {
		c.active[pod.UID] = true
	}
}
