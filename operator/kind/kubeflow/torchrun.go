package kubeflow

import (
	"fmt"
	"strconv"
	"strings"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/kind/torchrun"
)

// raisedRestarts is how often the workers of an elastic job may restart, where the job says less. Every shrink uses one
// up.
const raisedRestarts = 100

// joinable is what all workers of a job have to be told so that others can join them: since PyTorch shares the store of
// the rendezvous among its agents, they tell its address once, and not to those who join later. Older ones do not mind.
var joinable = []corev1.EnvVar{{Name: "TORCH_DISABLE_SHARE_RDZV_TCP_STORE", Value: "1"}}

// mendElastic makes an elastic job safe to be resized while it trains. Its pods are yet to be made,
// so that all of them get the same environment.
func mendElastic(c change, job types.UID, e *kubeflow.ElasticPolicy, workers replicas, ask resize.Ask,
	to kind.Target) error {
	if to.Least < 1 || to.Most < to.Least {
		return fmt.Errorf("%d to %d is no range of sizes", to.Least, to.Most)
	}
	policy := c.tree.At("spec", "elasticPolicy")
	if _, said := torchrun.Option(trainer(workers.template()), "rdzv-id"); !usesC10d(e) && !said {
		policy["rdzvId"] = meeting(e, job, ask.Epoch)
	}
	// A rendezvous of fewer workers than the least, or of more than the most, does not come about.
	policy["minReplicas"] = min(to.Least, ask.Workers)
	policy["maxReplicas"] = max(to.Most, ask.Workers)
	if restarts(e, workers.template()) < raisedRestarts {
		policy["maxRestarts"] = raisedRestarts
	}
	if r := workers.spec.RestartPolicy; r == kubeflow.RestartPolicyExitCode || r == kubeflow.RestartPolicyNever {
		c.tree.At("spec", "pytorchReplicaSpecs", string(workers.key))["restartPolicy"] = kubeflow.RestartPolicyOnFailure
	}
	return nil
}

// meeting is the name by which the workers of a start meet, where that is kept outside of them, as in etcd: a meeting
// that was closed once stays closed under its name, whoever starts anew.
func meeting(e *kubeflow.ElasticPolicy, job types.UID, start resize.Epoch) string {
	const mark = "-takt-"
	name := string(job)
	if e.RDZVID != nil && *e.RDZVID != "" {
		name, _, _ = strings.Cut(*e.RDZVID, mark)
	}
	return fmt.Sprint(name, mark, start)
}

func usesC10d(e *kubeflow.ElasticPolicy) bool {
	return e.RDZVBackend == nil || *e.RDZVBackend == kubeflow.BackendC10D
}

// restarts is how often torchrun restarts the workers of a pod before it gives up: never, unless it
// is told otherwise. What elasticPolicy says wins over the template.
func restarts(e *kubeflow.ElasticPolicy, template *corev1.PodTemplateSpec) int {
	if e.MaxRestarts != nil {
		return int(*e.MaxRestarts)
	}
	value, _ := torchrun.Environment(trainer(template), "PET_MAX_RESTARTS")
	n, err := strconv.Atoi(value)
	if err != nil {
		return 0
	}
	return n
}

// nodesOf is what the command of the workers says for --nnodes, if it says so itself.
func nodesOf(p *kubeflow.PyTorchJob, workers replicas) (string, bool) {
	return torchrun.Option(trainer(workers.template()), "nnodes", filledIn(p)...)
}

// filledIn are the variables that training-operator sets in every pod to what goes with the size of the job. Its word
// comes after that of the template, and counts.
func filledIn(p *kubeflow.PyTorchJob) []string {
	if master, _ := pytorchReplicas(p); master.exist() {
		return []string{"PET_NNODES", "WORLD_SIZE"}
	}
	return []string{"PET_NNODES"}
}

// trainer is the container that training-operator fills in; nil if there is none.
func trainer(template *corev1.PodTemplateSpec) *corev1.Container {
	if template == nil {
		return nil
	}
	for i := range template.Spec.Containers {
		if c := &template.Spec.Containers[i]; c.Name == kubeflow.PyTorchJobDefaultContainerName {
			return c
		}
	}
	return nil
}
