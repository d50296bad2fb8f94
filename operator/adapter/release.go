package adapter

import (
	"errors"
	"fmt"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// HeldByHand is what Takt writes in the annotation takt.dev/hold, for a size that somebody has set. What people
// write there has another value.
const HeldByHand = "by-hand"

// Release is how Takt lets go of a job.
type Release struct {
	At time.Time
	// Without are annotations of the job that go as well.
	Without []string
	// Resume has it run, whoever has suspended it.
	Resume bool
	// SuspendedByUser leaves a job suspended that StoppedByTakt cannot tell from one that Takt keeps from starting.
	SuspendedByUser bool
}

// StoppedByTakt says that the job would run, had Takt not stopped it, or kept it from starting. A job that was
// held when it was created, and that somebody has resumed and suspended since, looks the same: the status of its
// ElasticJob tells them apart.
func (j Job) StoppedByTakt() bool {
	return j.Suspended && (j.Asked.Suspended || j.Asked.Epoch == 0 && j.Held)
}

// ScaledByOthers says that the job has another size than Takt has asked it for.
func (j Job) ScaledByOthers() bool { return j.Asked.Epoch > 0 && j.Size != j.Asked.Workers }

// released writes what goes with a job that Takt lets go of: nothing of Takt stays on the templates of its
// pods, and it runs again if it was Takt that has stopped it. A job that was on its way from one size to
// another has the one that it was to come back at, or that somebody has given it since.
// It is empty if there is nothing to change.
func released(meta *metav1.ObjectMeta, specs string, all map[kubeflow.ReplicaType]*kubeflow.ReplicaSpec, workers replicas,
	j Job, r Release,
) ([]byte, error) {
	if meta.UID == "" || meta.ResourceVersion == "" {
		return nil, errors.New("the job was not read from the API server: it has no UID or no resourceVersion")
	}
	c := change{tree: tree{}}
	for key, spec := range all {
		if spec == nil {
			continue
		}
		for _, label := range []string{v1alpha1.EpochLabel, v1alpha1.ElasticJobLabel} {
			if _, there := spec.Template.Labels[label]; there {
				c.tree.at("spec", specs, string(key), "template", "metadata", "labels")[label] = nil
			}
		}
		if _, there := spec.Template.Annotations[v1alpha1.GangAnnotation]; there {
			c.tree.at("spec", specs, string(key), "template", "metadata", "annotations")[v1alpha1.GangAnnotation] = nil
		}
		for label, value := range pinned(meta.Annotations[PinnedAnnotation]) {
			if spec.Template.Spec.NodeSelector[label] == string(value) {
				c.tree.at("spec", specs, string(key), "template", "spec", "nodeSelector")[label] = nil
			}
		}
	}
	if j.StoppedByTakt() && !r.SuspendedByUser || r.Resume && j.Suspended {
		c.tree.at("spec", "runPolicy")["suspend"] = false
		ask := j.Asked
		ask.Suspended, ask.At = false, r.At
		switch {
		case j.ScaledByOthers():
			ask.Workers = j.Size
		case j.ReturnsTo > j.Fixed:
			ask.Workers = j.ReturnsTo
			c.tree.at("spec", specs, string(workers.key))["replicas"] = ask.Workers - j.Fixed
		}
		if ask.Epoch > 0 {
			text, err := EncodeAsk(meta.UID, ask, j.Written)
			if err != nil {
				return nil, err
			}
			c.tree.at("metadata", "annotations")[AskAnnotation] = text
		}
	}
	for _, key := range append([]string{ReturnsAnnotation, HeldAnnotation, PinnedAnnotation}, r.Without...) {
		if _, there := meta.Annotations[key]; there {
			c.tree.at("metadata", "annotations")[key] = nil
		}
	}
	if len(c.tree) == 0 {
		return nil, nil
	}
	c.tree.at("metadata")["uid"], c.tree.at("metadata")["resourceVersion"] = meta.UID, meta.ResourceVersion
	return c.bytes()
}

// Release lets go of a PyTorchJob.
func (k pytorchJob) Release(job client.Object, r Release) ([]byte, error) {
	p, ok := job.(*kubeflow.PyTorchJob)
	if !ok {
		return nil, fmt.Errorf("a %T is no PyTorchJob", job)
	}
	_, workers := pytorchReplicas(p)
	return released(&p.ObjectMeta, "pytorchReplicaSpecs", p.Spec.PyTorchReplicaSpecs, workers, k.Read(p), r)
}

// Release lets go of a TFJob.
func (k tfJob) Release(job client.Object, r Release) ([]byte, error) {
	t, ok := job.(*kubeflow.TFJob)
	if !ok {
		return nil, fmt.Errorf("a %T is no TFJob", job)
	}
	_, workers := tfReplicas(t)
	return released(&t.ObjectMeta, "tfReplicaSpecs", t.Spec.TFReplicaSpecs, workers, k.Read(t), r)
}
