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
	"github.com/takt-dev/takt/operator/kind/torchrun"
)

// pytorchJob is Kubeflow's PyTorchJob.
type pytorchJob struct{}

func (pytorchJob) GroupVersionKind() schema.GroupVersionKind {
	return kubeflow.GroupVersion.WithKind(kubeflow.PyTorchJobKind)
}

func (pytorchJob) New() client.Object         { return &kubeflow.PyTorchJob{} }
func (pytorchJob) NewList() client.ObjectList { return &kubeflow.PyTorchJobList{} }

func (pytorchJob) Read(job client.Object) kind.Job {
	p := job.(*kubeflow.PyTorchJob)
	master, workers := pytorchReplicas(p)
	j := read(kubeflow.PyTorchJobKind, &p.ObjectMeta, &p.Spec.RunPolicy, &p.Status, master, workers)
	j.Container = kubeflow.PyTorchJobDefaultContainerName
	j.AddedPort = addedPort(j, kubeflow.PyTorchJobDefaultPortName, kubeflow.PyTorchJobDefaultPort)
	j.Together = startsTogether(&p.Spec.RunPolicy, p.Spec.PyTorchReplicaSpecs, j)
	if p.Spec.ElasticPolicy != nil {
		least, most := elasticRange(p.Spec.ElasticPolicy, workers)
		j = j.Ranging(least+j.Fixed, most+j.Fixed)
	}
	if pytorchLive(p) {
		j = j.Restarting(pytorchLiveObjections(p, workers, j))
		// The range is part of the environment that pods are made with. So those that run cannot
		// leave it, whatever is written to the job; a job that is suspended gets another in Patch.
		if j.Mode == resize.Live && !j.Suspended {
			j.Floor, j.Ceiling = j.Least, j.Most
		}
		// What the command says wins over the environment, for all pods that there will be.
		nodes, _ := nodesOf(p, workers)
		if least, most, ranged := torchrun.NodesRange(nodes); ranged {
			j.Floor, j.Ceiling, j.Bounded = least, most, true
		}
	}
	j.Objections = pytorchObjections(p, master, workers, j.Written)
	j.AtItsEnd, j.Finished = atItsEnd(j, &p.Status)
	j.AgentObstacle = cmp.Or(obstacle("pytorchReplicaSpecs", j.Worker, j.Leader), pytorchFailsAtOnce(p))
	return j
}

func (pytorchJob) Index(pod *corev1.Pod, fixed resize.Workers) (resize.Index, bool) {
	return index(pod, pytorchController, fixed, kubeflow.PyTorchJobReplicaTypeMaster)
}

func (pytorchJob) Patch(job client.Object, ask resize.Ask, to kind.Target) ([]byte, error) {
	p, ok := job.(*kubeflow.PyTorchJob)
	if !ok {
		return nil, fmt.Errorf("a %T is no PyTorchJob", job)
	}
	master, workers := pytorchReplicas(p)
	if pytorchFailsAtOnce(p) != "" {
		to.Agent.Image = ""
	}
	var variables []corev1.EnvVar
	if pytorchLive(p) && usesC10d(p.Spec.ElasticPolicy) {
		variables = joinable
	}
	c, err := sized(&p.ObjectMeta, "pytorchReplicaSpecs", suspended(&p.Spec.RunPolicy), master, workers, ask,
		to, variables)
	if err != nil {
		return nil, fmt.Errorf("ask PyTorchJob %s for %s: %w", p.Name, elastic.CountOf(ask.Workers, "worker"), err)
	}
	if c.fresh && pytorchLive(p) {
		if err := mendElastic(c, p.UID, p.Spec.ElasticPolicy, workers, ask, to); err != nil {
			return nil, fmt.Errorf("ask PyTorchJob %s for %s: %w", p.Name, elastic.CountOf(ask.Workers, "worker"), err)
		}
	}
	if pytorchLive(p) && (c.starts || to.Agent.Fault != "") {
		c.callLast(p, workers)
	}
	return c.tree.Bytes()
}

func pytorchReplicas(p *kubeflow.PyTorchJob) (master, workers replicas) {
	all := p.Spec.PyTorchReplicaSpecs
	return crew(find(all, kubeflow.PyTorchJobReplicaTypeMaster), find(all, kubeflow.PyTorchJobReplicaTypeWorker))
}

// pytorchFailsAtOnce is failsAtOnce of a PyTorchJob. One that can change its size while it trains is given another
// policy as it starts.
func pytorchFailsAtOnce(p *kubeflow.PyTorchJob) string {
	if pytorchLive(p) {
		return ""
	}
	master, workers := pytorchReplicas(p)
	return failsAtOnce(kubeflow.PyTorchJobDefaultRestartPolicy, master, workers)
}

// pytorchLive says whether workers can join and leave while the job trains. With a master they
// cannot: the ranks and their number are fixed in the environment of its pods.
func pytorchLive(p *kubeflow.PyTorchJob) bool {
	master, _ := pytorchReplicas(p)
	return p.Spec.ElasticPolicy != nil && !master.exist()
}

// elasticRange is the range of workers, with the gaps filled as training-operator fills them.
func elasticRange(e *kubeflow.ElasticPolicy, workers replicas) (least, most resize.Workers) {
	switch {
	case e.MinReplicas != nil && e.MaxReplicas != nil:
		return resize.Workers(*e.MinReplicas), resize.Workers(*e.MaxReplicas)
	case e.MaxReplicas != nil:
		return resize.Workers(*e.MaxReplicas), resize.Workers(*e.MaxReplicas)
	case e.MinReplicas != nil:
		return resize.Workers(*e.MinReplicas), resize.Workers(*e.MinReplicas)
	default:
		return workers.count(), workers.count()
	}
}
