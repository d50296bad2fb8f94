package load

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/e2e/lib/world"
)

// A job of two workers waits 5 s for a node for the first, which then holds its GPU for 10 s until the second runs too.
// They train for 20 s. Another gets one of two, and never trains.
func TestWhatGPUsAreUsedFor(t *testing.T) {
	begin := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	at := func(seconds int) time.Time { return begin.Add(time.Duration(seconds) * time.Second) }
	job := func(seconds int, name string, over bool) world.Record {
		object := &unstructured.Unstructured{Object: map[string]any{}}
		object.SetName(name)
		if over {
			object.Object["status"] = map[string]any{"conditions": []any{map[string]any{"type": "Succeeded", "status": "True"}}}
		}
		return world.Record{At: at(seconds), Kind: "PyTorchJob", Object: object}
	}
	pod := func(seconds int, job, name, node string, phase corev1.PodPhase) world.Record {
		return world.Record{At: at(seconds), Kind: "Pod", Object: &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{
				Name: name, UID: types.UID(name), Labels: map[string]string{"training.kubeflow.org/job-name": job},
			},
			Spec: corev1.PodSpec{NodeName: node}, Status: corev1.PodStatus{Phase: phase},
		}}
	}
	u := UseOf([]world.Record{
		job(0, "whole", false),
		pod(0, "whole", "a", "", corev1.PodPending),
		pod(0, "of nobody", "z", "n", corev1.PodRunning),
		pod(5, "whole", "a", "n", corev1.PodRunning),
		job(5, "half", false),
		pod(15, "whole", "b", "n", corev1.PodRunning),
		pod(25, "half", "c", "n", corev1.PodRunning),
		pod(35, "whole", "a", "n", corev1.PodSucceeded),
		pod(35, "whole", "b", "n", corev1.PodSucceeded),
		job(36, "whole", true),
	}, map[string]int{"whole": 2, "half": 2}, at(45))
	if want := 40 * time.Second; u.Training != want {
		t.Errorf("they train for %v of GPU time, want %v", u.Training, want)
	}
	if want := (10 + 20) * time.Second; u.Held != want {
		t.Errorf("GPUs are held for %v, want %v", u.Held, want)
	}
	if u.Waited["whole"] != 15*time.Second || u.Waited["half"] != 40*time.Second {
		t.Errorf("they waited %v", u.Waited)
	}
}
