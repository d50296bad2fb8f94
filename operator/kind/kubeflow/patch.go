package kubeflow

import (
	"errors"
	"fmt"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/kind"
)

// change is a patch of a training-operator job in the making.
type change struct {
	tree kind.Tree
	// fresh says that all pods are made after this patch: the job is suspended, or suspended by it.
	// starts says that they are made because of it.
	fresh, starts bool
	// together says that the agent is in all of these pods, and lets them in at the same moment.
	together bool
}

// sized begins a patch with what both kinds have in common. The leader's template is left alone while
// the job runs: its pod is no part of a gang that joins it.
func sized(meta *metav1.ObjectMeta, specs string, suspended bool, leader, workers replicas,
	ask resize.Ask, to kind.Target, variables []corev1.EnvVar,
) (change, error) {
	c := change{fresh: suspended || ask.Suspended, starts: suspended && !ask.Suspended}
	fixed, single := leader.fixed(), alone(leader, workers)
	switch {
	case single && ask.Workers == fixed:
	case !workers.exist():
		return c, errors.New("the job has no Worker replicas, so it cannot be sized")
	case ask.Workers <= fixed:
		return c, fmt.Errorf("a size of %d leaves the job without workers: it must be at least %d", ask.Workers, fixed+1)
	}
	var err error
	if c.tree, err = kind.Asking(meta, ask, to, fixed+workers.count(), suspended); err != nil {
		return c, err
	}
	c.tree.At("spec", "runPolicy")["suspend"] = ask.Suspended
	var touched []replicas
	if !single {
		c.tree.At("spec", specs, string(workers.key))["replicas"] = ask.Workers - fixed
		touched = append(touched, workers)
	}

	// Only a job without a leader grows while it runs, so the size is that of its workers.
	var there resize.Workers
	if !c.starts {
		there = workers.count()
	}
	gang, err := kind.Gang(meta.UID, ask, there, false)
	if err != nil {
		return c, err
	}
	if (c.starts || to.Agent.Fault != "") && leader.exist() {
		touched = append(touched, leader)
	}
	var templates []kind.Template
	wrapped := map[kubeflow.ReplicaType]*corev1.PodTemplateSpec{}
	for _, r := range touched {
		template := []string{"spec", specs, string(r.key), "template"}
		templates = append(templates, kind.Template{
			Path: template, Is: r.template(), Free: r == leader && !single && to.LeaderAnywhere})
		wrapped[r.key] = r.template()
		pods := kind.Pods{Role: v1alpha1.RoleWorker, NumberedBy: kubeflow.ReplicaIndexLabel, Gang: gang}
		if r == leader {
			pods.Role = v1alpha1.RoleLeader
		}
		c.tree.Mark(ask, to, pods, template...)
	}
	brings := c.starts || ask.Workers-fixed > workers.count()
	if c.together, err = c.wrap(meta.UID, specs, wrapped, brings, to.Agent, variables); err != nil {
		return c, err
	}
	if brings { // it brings about pods that are not there yet
		return c, c.tree.Pin(meta, to, c.starts, templates...)
	}
	return c, nil
}
