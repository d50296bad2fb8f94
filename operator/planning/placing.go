package planning

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/view"
)

// placedAs is a worker of a job as it would be placed now: one of a job that starts may go to other nodes than those
// that the last start has bound it to, and the nodes of one that trains may get other labels than they had then. It
// stays in its pool all the same.
func placedAs(s *view.Subject) capacity.Worker { return placed(s, s.Job.Unpinned()) }

// levels are those of how a cluster is built that takt-scheduler knows by default, with the labels that tell them.
var levels = map[string]string{
	"node": corev1.LabelHostname, "rack": "topology.kubernetes.io/rack", "zone": corev1.LabelTopologyZone,
}

// placed is a worker of a job by some template, beside those of the job that have nodes.
func placed(s *view.Subject, template *corev1.PodTemplateSpec) capacity.Worker {
	w := capacity.Worker{
		Template: template, Namespace: s.ElasticJob.Namespace, Labels: s.Job.PodLabels, Port: s.Job.AddedPort, Job: s.Job.UID,
	}
	if template != nil {
		w.Within = levels[template.Annotations[v1alpha1.TopologyRequiredAnnotation]]
	}
	for _, of := range s.Pods {
		if of.Pod.Spec.NodeName != "" && holds(of.Pod) {
			w.On = append(w.On, of.Pod.Spec.NodeName)
		}
	}
	return w
}
