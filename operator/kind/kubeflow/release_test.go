package kubeflow

import (
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/kind"
)

// resized patches a job as a resize does.
func resized(t *testing.T, p *kubeflow.PyTorchJob, ask resize.Ask, to kind.Target) *kubeflow.PyTorchJob {
	t.Helper()
	patch, err := pytorchJob{}.Patch(p, ask, to)
	if err != nil {
		t.Fatal(err)
	}
	return patched(t, p, patch, &kubeflow.PyTorchJob{})
}

// A job that Takt lets go of has nothing of Takt on the template of its pods, and goes on if it was Takt that
// kept it from doing so.
func TestRelease(t *testing.T) {
	type job = kubeflow.PyTorchJob
	stopped := func(ask resize.Ask) resize.Ask { ask.Suspended = true; return ask }
	suspended := func(p *job) { p.Spec.RunPolicy.Suspend = new(true) }
	held := func(p *job) {
		suspended(p)
		p.Annotations[kind.HeldAnnotation] = "until-admitted"
	}
	for name, c := range map[string]struct {
		job       *job
		suspended bool
		workers   int32
		asked     resize.Ask
	}{
		"runs": {job: resized(t, pytorch(), forward(4), target), workers: 4, asked: forward(4)},
		"stopped": {job: resized(t, pytorch(), stopped(forward(2)), target), workers: 2,
			asked: resize.Ask{Epoch: 7, Stage: resize.Forward, Workers: 2, At: ended}},
		"half way through a cold resize": {job: resized(t, pytorch(), stopped(forward(2)),
			kind.Target{ElasticJob: "resnet", Least: 1, Most: 8, ReturnsTo: 3}), workers: 3, asked: resize.Ask{
			Epoch: 7, Stage: resize.Forward, Workers: 3, At: ended,
		}},
		"scaled by hand half way through": {job: func() *job {
			p := resized(t, pytorch(), stopped(forward(2)), kind.Target{ElasticJob: "resnet", Least: 1, Most: 8, ReturnsTo: 2})
			p.Spec.PyTorchReplicaSpecs["Worker"].Replicas = new(int32(5))
			return p
		}(), workers: 5, asked: resize.Ask{Epoch: 7, Stage: resize.Forward, Workers: 5, At: ended}},
		"pinned to a kind of GPUs": {job: resized(t, resized(t, pytorch(), stopped(forward(2)), target), forward(2),
			kind.Target{ElasticJob: "resnet", Least: 1, Most: 8, NodeSelector: map[string]v1alpha1.LabelValue{"gpu": "a100"}}),
			workers: 2, asked: forward(2)},
		"held when it was created": {job: pytorch(held), workers: 2},
		"suspended by its user":    {job: pytorch(suspended), suspended: true, workers: 2},
		"suspended by its user after a size": {job: func() *job {
			p := resized(t, pytorch(), forward(4),
				target)
			suspended(p)
			return p
		}(), suspended: true, workers: 4, asked: forward(4)},
		"with a master": {job: resized(t, resized(t, pytorch(withMaster), stopped(forward(3)), target),
			forward(3), target), workers: 2, asked: forward(3)},
	} {
		t.Run(name, func(t *testing.T) {
			patch, err := pytorchJob{}.Release(c.job, kind.Release{At: ended})
			if err != nil {
				t.Fatal(err)
			}
			free := c.job
			if patch != nil {
				free = patched(t, c.job, patch, &job{})
			}
			if j := (pytorchJob{}).Read(free); j.Suspended != c.suspended || j.Asked != c.asked || j.StoppedByTakt() {
				t.Errorf("suspended %t, asked %+v, stopped by Takt %t; want %t, %+v", j.Suspended, j.Asked, j.StoppedByTakt(),
					c.suspended, c.asked)
			}
			if n := *free.Spec.PyTorchReplicaSpecs["Worker"].Replicas; n != c.workers {
				t.Errorf("%d workers, want %d", n, c.workers)
			}
			for role, spec := range free.Spec.PyTorchReplicaSpecs {
				on := spec.Template
				kept := on.Labels[v1alpha1.EpochLabel] + on.Labels[v1alpha1.ElasticJobLabel] + on.Labels[v1alpha1.RoleLabel]
				if kept += on.Annotations[v1alpha1.GangAnnotation] + on.Annotations[v1alpha1.NumberedByAnnotation]; kept != "" {
					t.Errorf("%s has kept %v %v", role, on.Labels, on.Annotations)
				}
				same(t, "training", on.Labels["app"])
				same(t, "b", on.Annotations["a"])
				if selector := on.Spec.NodeSelector; selector["gpu"] != "" ||
					role == kubeflow.PyTorchJobReplicaTypeWorker && selector["disk"] != "fast" {
					t.Errorf("%s has the node selector %v", role, selector)
				}
			}
			if again, err := (pytorchJob{}).Release(free, kind.Release{At: ended.Add(time.Hour)}); err != nil || again != nil {
				t.Errorf("once more: %s %v", again, err)
			}
		})
	}
}

func TestReleaseWithoutATrace(t *testing.T) {
	p := resized(t, pytorch(), resize.Ask{Epoch: 7, Stage: resize.Halt, Workers: 2, Suspended: true, At: asked}, target)
	p.Annotations["takt.dev/taken"] = "{}"
	patch, err := pytorchJob{}.Release(p, kind.Release{
		At: ended, Without: []string{kind.AskAnnotation, "takt.dev/taken", "takt.dev/other"},
	})
	if err != nil {
		t.Fatal(err)
	}
	free := patched(t, p, patch, &kubeflow.PyTorchJob{})
	same(t, map[string]string{"takt.dev/deadline": "6h"}, free.Annotations)
	same(t, false, *free.Spec.RunPolicy.Suspend)

	j := tensorflow(func(j *kubeflow.TFJob) {
		j.Spec.TFReplicaSpecs["PS"].Template.Labels[v1alpha1.EpochLabel] = "3" // of a manifest that was copied by hand
	})
	if patch, err = (tfJob{}).Release(j, kind.Release{At: ended}); err != nil {
		t.Fatal(err)
	}
	tf := patched(t, j, patch, &kubeflow.TFJob{})
	same(t, map[string]string{"app": "training"}, tf.Spec.TFReplicaSpecs["PS"].Template.Labels)
	same(t, false, tf.Spec.RunPolicy.Suspend != nil)
}

// Who holds a job when it is created is written on it; who has suspended it since is not.
func TestReleaseOfAJobThatItsUserHasSuspendedSince(t *testing.T) {
	p := pytorch(func(p *kubeflow.PyTorchJob) {
		p.Spec.RunPolicy.Suspend = new(true)
		p.Annotations[kind.HeldAnnotation] = "until-admitted"
	})
	patch, err := pytorchJob{}.Release(p, kind.Release{At: ended, SuspendedByUser: true})
	if err != nil {
		t.Fatal(err)
	}
	if j := (pytorchJob{}).Read(patched(t, p, patch, &kubeflow.PyTorchJob{})); !j.Suspended || j.Held {
		t.Errorf("suspended %t, held %t, want true, false", j.Suspended, j.Held)
	}
}
