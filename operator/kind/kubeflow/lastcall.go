package kubeflow

import (
	"slices"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"

	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/kind/torchrun"
)

// lastCall is how many seconds a rendezvous waits for others once enough workers have come, where the agent lets all in
// at the same moment. torchrun itself waits for 30, in every round that its most workers do not come to. Those that
// wait for the next round look once a second, so it is not less.
const lastCall = "2"

func lastCallOf(seconds string) []kubeflow.RDZVConf {
	return []kubeflow.RDZVConf{{Key: "last_call_timeout", Value: seconds}}
}

// givenLastCall is the last call that Takt has given a job, and that it still has; empty if there is none.
func givenLastCall(p *kubeflow.PyTorchJob) string {
	given := p.Annotations[kind.LastCallAnnotation]
	if e := p.Spec.ElasticPolicy; given == "" || e == nil || !slices.Equal(e.RDZVConf, lastCallOf(given)) {
		return ""
	}
	return given
}

// callLast gives a job whose pods are yet to be made a short last call where they come together, and takes it back
// where they do not: one who misses it costs everyone another restart. What the job says of its rendezvous stays: a
// list in a merge patch replaces the whole list, and would overrule the variable.
func (c change) callLast(p *kubeflow.PyTorchJob, workers replicas) {
	e, given := p.Spec.ElasticPolicy, givenLastCall(p)
	_, variable := torchrun.Environment(trainer(workers.template()), "PET_RDZV_CONF")
	_, option := torchrun.Option(trainer(workers.template()), "rdzv-conf")
	said := variable || option || given == "" && len(e.RDZVConf) > 0
	if c.together && !said && usesC10d(e) {
		c.tree.At("spec", "elasticPolicy")["rdzvConf"] = lastCallOf(lastCall)
		c.tree.At("metadata", "annotations")[kind.LastCallAnnotation] = lastCall
		return
	}
	if given != "" {
		c.tree.At("spec", "elasticPolicy")["rdzvConf"] = nil
	}
	if _, noted := p.Annotations[kind.LastCallAnnotation]; noted {
		c.tree.At("metadata", "annotations")[kind.LastCallAnnotation] = nil
	}
}
