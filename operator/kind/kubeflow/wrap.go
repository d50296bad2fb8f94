package kubeflow

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/agent/contract"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/wrapping"
)

// trainers are the containers that train, by where a job has its replicas.
var trainers = map[string]string{
	"pytorchReplicaSpecs": kubeflow.PyTorchJobDefaultContainerName,
	"tfReplicaSpecs":      kubeflow.TFJobDefaultContainerName,
}

// wrap has the agent start the training of pods that are yet to be made, or takes it out of their templates. A job that
// trains is left as it is: pods that are told different things of how to begin do not meet. Only what somebody has
// taken away of it since is put in again, for pods that it brings about.
//
// With that come the variables that all pods of a job need alike. It says whether it starts all of them with the agent.
func (c change) wrap(job types.UID, specs string, templates map[kubeflow.ReplicaType]*corev1.PodTemplateSpec,
	brings bool, to wrapping.Intent,
	variables []corev1.EnvVar,
) (together bool, err error) {
	trainer := trainers[specs]
	if to.Fault != "" {
		fault := wrapping.Fault{Job: job, Image: cmp.Or(imageOf(templates), to.Image), Said: to.Fault}
		if err := c.keep(fault); err != nil {
			return false, err
		}
	}
	agent := to
	for _, template := range templates {
		if wrapping.Obstacle(template, trainer) != "" {
			agent.Image = "" // in one alone it would wait for those who do not wait for it
		}
	}
	for key, before := range templates {
		after := before.DeepCopy()
		switch _, ours := wrapping.By(before); {
		case to.Fault != "", c.starts && agent.Image == "":
			wrapping.Out(after)
		case c.starts:
			wrapping.Into(after, trainer, agent)
		case brings && ours && wrapping.Image(before) != "" && wrapping.Obstacle(before, trainer) == "":
			wrapping.Into(after, trainer, wrapping.Intent{Image: wrapping.Image(before), LetsInWithin: to.LetsInWithin})
		}
		if c.starts {
			tell(after, trainer, variables)
		}
		c.rewrite(specs, key, before, after)
	}
	return c.starts && agent.Image != "" && to.Fault == "", nil
}

// tell gives a container variables that nobody has given it.
func tell(t *corev1.PodTemplateSpec, container string, variables []corev1.EnvVar) {
	for i := range t.Spec.Containers {
		if c := &t.Spec.Containers[i]; c.Name == container {
			for _, v := range variables {
				if !slices.ContainsFunc(c.Env, func(e corev1.EnvVar) bool { return e.Name == v.Name }) {
					c.Env = append(c.Env, v)
				}
			}
		}
	}
}

// imageOf is that of the agent in the first of some templates that has it.
func imageOf(templates map[kubeflow.ReplicaType]*corev1.PodTemplateSpec) string {
	for _, key := range slices.Sorted(maps.Keys(templates)) {
		if image := wrapping.Image(templates[key]); image != "" {
			return image
		}
	}
	return ""
}

// rewrite adds to a patch what makes one template another, of what the agent has a part in. A list replaces the whole
// list, and is refused if anybody has changed that meanwhile.
func (c change) rewrite(specs string, key kubeflow.ReplicaType, before, after *corev1.PodTemplateSpec) {
	at := func(path ...string) kind.Tree {
		return c.tree.At(append([]string{"spec", specs, string(key), "template"}, path...)...)
	}
	for name := range before.Annotations {
		if _, stays := after.Annotations[name]; !stays {
			at("metadata", "annotations")[name] = nil
		}
	}
	for name, value := range after.Annotations {
		if was, there := before.Annotations[name]; !there || was != value {
			at("metadata", "annotations")[name] = value
		}
	}
	was, is := &before.Spec, &after.Spec
	set := func(field string, same, empty bool, list any) {
		switch {
		case same:
		case empty:
			at("spec")[field] = nil
		default:
			at("spec")[field] = list
		}
	}
	set("initContainers", equality.Semantic.DeepEqual(was.InitContainers, is.InitContainers), len(is.InitContainers) == 0,
		is.InitContainers)
	set("containers", equality.Semantic.DeepEqual(was.Containers, is.Containers), len(is.Containers) == 0, is.Containers)
	set("volumes", equality.Semantic.DeepEqual(was.Volumes, is.Volumes), len(is.Volumes) == 0, is.Volumes)
}

// unwrap takes the agent out of all templates of a job.
func (c change) unwrap(specs string, all map[kubeflow.ReplicaType]*kubeflow.ReplicaSpec) {
	for key, spec := range all {
		if spec != nil {
			after := spec.Template.DeepCopy()
			wrapping.Out(after)
			c.rewrite(specs, key, &spec.Template, after)
		}
	}
}

// letIn has the workers train as they come which a job makes from now on; nil if they do.
func letIn(meta *metav1.ObjectMeta, specs string, all map[kubeflow.ReplicaType]*kubeflow.ReplicaSpec) ([]byte, error) {
	t := kind.Tree{}
	for key, spec := range all {
		if spec == nil {
			continue
		}
		if epoch := wrapping.LetIn(&spec.Template); epoch != "" {
			t.At("spec", specs, string(key), "template", "metadata", "annotations")[contract.LetInAnnotation] = epoch
		}
	}
	return t.Guard(meta)
}

// unwrapped has a job run on without the agent, for want of which pods of it cannot run: the templates of all, and a
// word of why. It is empty if they have none.
func unwrapped(meta *metav1.ObjectMeta, specs string, all map[kubeflow.ReplicaType]*kubeflow.ReplicaSpec,
	why string) (change, error) {
	c := change{tree: kind.Tree{}}
	if c.unwrap(specs, all); len(c.tree) == 0 {
		return c, nil
	}
	templates := map[kubeflow.ReplicaType]*corev1.PodTemplateSpec{}
	for key, spec := range all {
		if spec != nil {
			templates[key] = &spec.Template
		}
	}
	return c, c.keep(wrapping.Fault{Job: meta.UID, Image: imageOf(templates), Said: why})
}

// keep has the job say why it is run without the agent.
func (c change) keep(fault wrapping.Fault) error {
	text, err := fault.Encode()
	if err == nil {
		c.tree.At("metadata", "annotations")[wrapping.FaultAnnotation] = text
	}
	return err
}

// Unwrap has a PyTorchJob run on without the agent.
func (pytorchJob) Unwrap(job client.Object, why string) ([]byte, error) {
	p, ok := job.(*kubeflow.PyTorchJob)
	if !ok {
		return nil, fmt.Errorf("a %T is no PyTorchJob", job)
	}
	c, err := unwrapped(&p.ObjectMeta, "pytorchReplicaSpecs", p.Spec.PyTorchReplicaSpecs, why)
	if err != nil {
		return nil, err
	}
	if len(c.tree) > 0 && pytorchLive(p) {
		_, workers := pytorchReplicas(p)
		c.callLast(p, workers)
	}
	return c.tree.Guard(&p.ObjectMeta)
}

// Unwrap has a TFJob run on without the agent.
func (tfJob) Unwrap(job client.Object, why string) ([]byte, error) {
	t, ok := job.(*kubeflow.TFJob)
	if !ok {
		return nil, fmt.Errorf("a %T is no TFJob", job)
	}
	c, err := unwrapped(&t.ObjectMeta, "tfReplicaSpecs", t.Spec.TFReplicaSpecs, why)
	if err != nil {
		return nil, err
	}
	return c.tree.Guard(&t.ObjectMeta)
}

// LetIn opens the barrier of a PyTorchJob for those who are yet to come.
func (pytorchJob) LetIn(job client.Object) ([]byte, error) {
	p, ok := job.(*kubeflow.PyTorchJob)
	if !ok {
		return nil, fmt.Errorf("a %T is no PyTorchJob", job)
	}
	return letIn(&p.ObjectMeta, "pytorchReplicaSpecs", p.Spec.PyTorchReplicaSpecs)
}

// LetIn opens the barrier of a TFJob for those who are yet to come.
func (tfJob) LetIn(job client.Object) ([]byte, error) {
	t, ok := job.(*kubeflow.TFJob)
	if !ok {
		return nil, fmt.Errorf("a %T is no TFJob", job)
	}
	return letIn(&t.ObjectMeta, "tfReplicaSpecs", t.Spec.TFReplicaSpecs)
}

// obstacle says why the agent cannot start the training of a job; empty if it can.
func obstacle(specs string, of ...*corev1.PodTemplateSpec) string {
	for _, template := range of {
		if template != nil {
			if why := wrapping.Obstacle(template, trainers[specs]); why != "" {
				return why
			}
		}
	}
	return ""
}

// failsAtOnce says that a job fails as soon as one of its pods does, and so where the agent cannot be installed in one;
// empty if it does not. A policy that it does not say is another by kind.
func failsAtOnce(policy kubeflow.RestartPolicy, of ...replicas) string {
	for _, r := range of {
		switch {
		case !r.exist() || cmp.Or(r.spec.RestartPolicy, policy) != kubeflow.RestartPolicyNever:
		case r.spec.RestartPolicy == "":
			return fmt.Sprintf("Its %s says no restartPolicy, which is Never then, so that the whole job would fail where the "+
				"agent cannot be installed in a pod: set it to OnFailure.", r.key)
		default:
			return fmt.Sprintf("Its %s has restartPolicy Never, so that the whole job would fail where the agent cannot be "+
				"installed in a pod: set it to OnFailure.", r.key)
		}
	}
	return ""
}
