package kubeflow

import (
	"fmt"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/operator/kind"
)

// released writes what goes with a job that Takt lets go of: nothing of Takt stays on the templates of its
// pods, and it runs again if it was Takt that has stopped it. It is empty if there is nothing to change.
func released(meta *metav1.ObjectMeta, specs string, all map[kubeflow.ReplicaType]*kubeflow.ReplicaSpec,
	workers replicas,
	j kind.Job, r kind.Release,
) (kind.Tree, error) {
	t := kind.Tree{}
	size, err := t.LetGo(meta, j, r)
	if err != nil {
		return nil, err
	}
	for key, spec := range all {
		if spec != nil {
			t.Unmark(meta, &spec.Template, "spec", specs, string(key), "template")
			t.Unscheduled(r, &spec.Template, "spec", specs, string(key), "template")
		}
	}
	change{tree: t}.unwrap(specs, all)
	if j.Resumes(r) {
		t.At("spec", "runPolicy")["suspend"] = false
	}
	if size != j.Size {
		t.At("spec", specs, string(workers.key))["replicas"] = size - j.Fixed
	}
	return t, nil
}

// Release lets go of a PyTorchJob.
func (k pytorchJob) Release(job client.Object, r kind.Release) ([]byte, error) {
	p, ok := job.(*kubeflow.PyTorchJob)
	if !ok {
		return nil, fmt.Errorf("a %T is no PyTorchJob", job)
	}
	_, workers := pytorchReplicas(p)
	free, err := released(&p.ObjectMeta, "pytorchReplicaSpecs", p.Spec.PyTorchReplicaSpecs, workers, k.Read(p), r)
	if err != nil {
		return nil, err
	}
	if givenLastCall(p) != "" {
		free.At("spec", "elasticPolicy")["rdzvConf"] = nil
	}
	return free.Guard(&p.ObjectMeta)
}

// Release lets go of a TFJob.
func (k tfJob) Release(job client.Object, r kind.Release) ([]byte, error) {
	t, ok := job.(*kubeflow.TFJob)
	if !ok {
		return nil, fmt.Errorf("a %T is no TFJob", job)
	}
	_, workers := tfReplicas(t)
	free, err := released(&t.ObjectMeta, "tfReplicaSpecs", t.Spec.TFReplicaSpecs, workers, k.Read(t), r)
	if err != nil {
		return nil, err
	}
	return free.Guard(&t.ObjectMeta)
}
