package planning_test

import (
	"testing"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/fixture"
)

// Some workers cannot be on one node beside each other, though its GPUs would do. A job has no more of them than nodes.
func TestAJobIsGivenNoMoreWorkersThanGoBesideEachOther(t *testing.T) {
	for name, habit := range map[string]func(*corev1.PodTemplateSpec){
		"they take a port of their node": func(p *corev1.PodTemplateSpec) {
			p.Spec.HostNetwork = true
			p.Spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 23456}}
		},
		"they take a port of their node that training-operator adds": func(p *corev1.PodTemplateSpec) {
			p.Spec.HostNetwork = true
		},
		"one worker of the job on each node": func(p *corev1.PodTemplateSpec) {
			p.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{
				RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{TopologyKey: corev1.LabelHostname,
					LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{kubeflow.JobNameLabel: "resnet"}}}}}}
		},
		"spread over the nodes": func(p *corev1.PodTemplateSpec) {
			p.Labels = map[string]string{"app": "resnet"}
			p.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{TopologyKey: corev1.LabelHostname,
				MaxSkew: 1, WhenUnsatisfiable: corev1.DoNotSchedule, LabelSelector: &metav1.LabelSelector{MatchLabels: p.Labels}}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			job := fixture.PyTorchJob("resnet", 8, fixture.SuspendedAtFirst, func(j *kubeflow.PyTorchJob) {
				habit(&j.Spec.PyTorchReplicaSpecs[kubeflow.PyTorchJobReplicaTypeWorker].Template)
			})
			nodes := []*corev1.Node{fixture.Node("a", "8"), fixture.Node("b", "8"), fixture.Node("full", "1")}
			for _, n := range nodes {
				n.Labels[corev1.LabelHostname] = n.Name
			}
			other := fixture.Outsider("other")
			other.Spec.NodeName, other.Status = "full", corev1.PodStatus{Phase: corev1.PodRunning}
			o := fixture.Stopped(t, interceptor.Funcs{}, nodes[0], nodes[1], nodes[2], other,
				fixture.ElasticJob("resnet", fixture.BestEffort), job)
			fixture.Plans(t, o)
			if r := fixture.Get(t, o, "resnet-1", &v1alpha1.Resize{}); r.Spec.To != 2 {
				t.Errorf("it starts with %d workers", r.Spec.To)
			}
		})
	}
}

// GPUs may be free where a job's workers may not be. It does not grow into them, and others do.
func TestAJobDoesNotGrowIntoWhatIsFreeOnOtherNodes(t *testing.T) {
	here := fixture.PyTorchJob("here", 4, fixture.SuspendedAtFirst, func(j *kubeflow.PyTorchJob) {
		template := &j.Spec.PyTorchReplicaSpecs[kubeflow.PyTorchJobReplicaTypeWorker].Template
		template.Spec.NodeSelector = map[string]string{corev1.LabelTopologyZone: "x"}
	})
	nodes := []*corev1.Node{fixture.Node("a", "4"), fixture.Node("b", "8")}
	nodes[0].Labels[corev1.LabelTopologyZone], nodes[1].Labels[corev1.LabelTopologyZone] = "x", "y"
	other := fixture.PyTorchJob("other", 3)
	objects := []client.Object{nodes[0], nodes[1], here, other, fixture.ElasticJob("here", fixture.BestEffort),
		fixture.ElasticJob("other", fixture.BestEffort, func(ej *v1alpha1.ElasticJob) { ej.Spec.Interruptible = new(false) })}
	o := fixture.Stopped(t, interceptor.Funcs{}, append(objects, fixture.CrewOn(other, "a", "a", "a")...)...)
	fixture.Plans(t, o)
	if r := fixture.Get(t, o, "here-1", &v1alpha1.Resize{}); r.Spec.To != 1 {
		t.Errorf("it starts with %d workers where one has room", r.Spec.To)
	}
}

// Whoever says that all workers of his job must be in one rack gets as many as one rack has room for.
func TestAJobInOneRackHasNoMoreWorkersThanThat(t *testing.T) {
	job := fixture.PyTorchJob("resnet", 8, fixture.SuspendedAtFirst, func(j *kubeflow.PyTorchJob) {
		template := &j.Spec.PyTorchReplicaSpecs[kubeflow.PyTorchJobReplicaTypeWorker].Template
		template.Annotations = map[string]string{v1alpha1.TopologyRequiredAnnotation: "rack"}
	})
	nodes := []*corev1.Node{fixture.Node("a", "4"), fixture.Node("b", "3")}
	for _, n := range nodes {
		n.Labels["topology.kubernetes.io/rack"] = n.Name
	}
	o := fixture.Stopped(t, interceptor.Funcs{}, nodes[0], nodes[1], fixture.ElasticJob("resnet", fixture.BestEffort), job)
	fixture.Plans(t, o)
	if r := fixture.Get(t, o, "resnet-1", &v1alpha1.Resize{}); r.Spec.To != 4 {
		t.Errorf("it starts with %d workers", r.Spec.To)
	}
}
