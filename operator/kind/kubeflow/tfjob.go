package kubeflow

import (
	"cmp"
	"fmt"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/kind"
)

// tfJob is Kubeflow's TFJob.
type tfJob struct{}

func (tfJob) GroupVersionKind() schema.GroupVersionKind {
	return kubeflow.GroupVersion.WithKind(kubeflow.TFJobKind)
}

func (tfJob) New() client.Object         { return &kubeflow.TFJob{} }
func (tfJob) NewList() client.ObjectList { return &kubeflow.TFJobList{} }

func (tfJob) Read(job client.Object) kind.Job {
	t := job.(*kubeflow.TFJob)
	chief, workers := tfReplicas(t)
	j := read(kubeflow.TFJobKind, &t.ObjectMeta, &t.Spec.RunPolicy, &t.Status, chief, workers)
	j.Container = kubeflow.TFJobDefaultContainerName
	j.AddedPort = addedPort(j, kubeflow.TFJobDefaultPortName, kubeflow.TFJobDefaultPort)
	j.Together = startsTogether(&t.Spec.RunPolicy, t.Spec.TFReplicaSpecs, j)
	j.AgentObstacle = cmp.Or(obstacle("tfReplicaSpecs", j.Worker, j.Leader),
		failsAtOnce(kubeflow.TFJobDefaultRestartPolicy, chief, workers))
	if tfLive(t) {
		j = j.Restarting(liveObjections(&t.Spec.RunPolicy, workers))
	}
	j.Objections = objections(&t.ObjectMeta, &t.Spec.RunPolicy, chief, workers, j.Written)
	j.AtItsEnd, j.Finished = atItsEnd(j, &t.Status)
	return j
}

func (tfJob) Index(pod *corev1.Pod, fixed resize.Workers) (resize.Index, bool) {
	return index(pod, tensorflowController, fixed, kubeflow.TFJobReplicaTypeChief, kubeflow.TFJobReplicaTypeMaster)
}

func (tfJob) Patch(job client.Object, ask resize.Ask, to kind.Target) ([]byte, error) {
	t, ok := job.(*kubeflow.TFJob)
	if !ok {
		return nil, fmt.Errorf("a %T is no TFJob", job)
	}
	chief, workers := tfReplicas(t)
	if failsAtOnce(kubeflow.TFJobDefaultRestartPolicy, chief, workers) != "" {
		to.Agent.Image = ""
	}
	c, err := sized(&t.ObjectMeta, "tfReplicaSpecs", suspended(&t.Spec.RunPolicy), chief, workers, ask, to, nil)
	if err != nil {
		return nil, fmt.Errorf("ask TFJob %s for %s: %w", t.Name, elastic.CountOf(ask.Workers, "worker"), err)
	}
	// With ExitCode a worker that leaves can fail the job, dynamic workers or not. All others are left
	// as declared: with enableDynamicWorker, training-operator goes on when a worker ends with an
	// error, and only Never, the default, keeps a broken script from starting over for ever.
	if c.fresh && tfLive(t) && workers.spec.RestartPolicy == kubeflow.RestartPolicyExitCode {
		c.tree.At("spec", "tfReplicaSpecs", string(workers.key))["restartPolicy"] = kubeflow.RestartPolicyOnFailure
	}
	return c.tree.Bytes()
}

// tfReplicas are those that train. Master is the old name of Chief.
func tfReplicas(t *kubeflow.TFJob) (chief, workers replicas) {
	all := t.Spec.TFReplicaSpecs
	return crew(find(all, kubeflow.TFJobReplicaTypeChief, kubeflow.TFJobReplicaTypeMaster),
		find(all, kubeflow.TFJobReplicaTypeWorker))
}

// tfLive says whether workers can join and leave while the job trains. Only with enableDynamicWorker:
// without it a worker that leaves fails the job, and all workers must know each other. The workers
// then meet at parameter servers, and no Chief may be among them, for it is told of nobody. An
// Evaluator is told of nobody either, but needs none: it reads checkpoints.
func tfLive(t *kubeflow.TFJob) bool {
	chief, _ := tfReplicas(t)
	servers := find(t.Spec.TFReplicaSpecs, kubeflow.TFJobReplicaTypePS)
	return t.Spec.EnableDynamicWorker && servers.count() > 0 && !chief.exist()
}
