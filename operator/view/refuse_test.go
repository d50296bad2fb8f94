package view_test

import (
	"strings"
	"testing"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/shorthand"
)

// Whoever is told of a queue that is not there has to find where it is named.
func TestAQueueThatIsNotThereIsNamedWithWhatAsksForIt(t *testing.T) {
	for label, want := range map[string]string{
		"none": "name another in the label takt.dev/queue of PyTorchJob/resnet.",
		"":     "name another in spec.queue of this ElasticJob.",
	} {
		ej, job := fixture.ElasticJob("resnet"), fixture.PyTorchJob("resnet", 1)
		ej.Spec.Queue = "none"
		if label != "" {
			job.Labels = map[string]string{shorthand.QueueLabel: label}
		}
		o := fixture.Stopped(t, interceptor.Funcs{}, ej, job, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "team"}})
		s, err := o.View.Look(t.Context(), ej)
		if err != nil {
			t.Fatal(err)
		}
		refused, err := o.View.Refuse(t.Context(), s)
		if err != nil || refused == nil || !strings.HasSuffix(refused.Message, want) {
			t.Errorf("with the label %q it says %+v (%v), want %q", label, refused, err, want)
		}
	}
}

// A job that is to have one size may name it in its command.
func TestAJobOfOneSizeMayNameItInItsCommand(t *testing.T) {
	for nodes, want := range map[string]bool{"2": false, "3": true, "1:4": true} {
		job := fixture.PyTorchJob("resnet", 2, func(j *kubeflow.PyTorchJob) {
			j.Spec.ElasticPolicy = nil
			container(j).Command = []string{"torchrun", "--nnodes=" + nodes, "train.py"}
		})
		ej := fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) { ej.Spec.Workers = v1alpha1.WorkerRange{} })
		o := fixture.Stopped(t, interceptor.Funcs{}, job, ej, fixture.Node("node", "8"))
		s, err := o.View.Look(t.Context(), ej)
		if err != nil {
			t.Fatal(err)
		}
		refused, err := o.View.Refuse(t.Context(), s)
		if err != nil || (refused != nil) != want {
			t.Errorf("--nnodes=%s: refused as %+v, %v", nodes, refused, err)
		}
	}
}

// Whoever asks for no GPU that Takt counts is told what it asks for instead, and what to write.
func TestAJobWithoutGPUsIsToldWhatItAsksFor(t *testing.T) {
	limits := func(c *corev1.Container, name corev1.ResourceName, amount string) {
		c.Resources.Limits = corev1.ResourceList{name: resource.MustParse(amount)}
	}
	for name, test := range map[string]struct {
		change func(*kubeflow.PyTorchJob)
		want   string
	}{
		"none": {func(j *kubeflow.PyTorchJob) { limits(container(j), "cpu", "1") },
			"ask for no GPU (nvidia.com/gpu), and GPUs are what Takt shares out: add one"},
		"none of them": {func(j *kubeflow.PyTorchJob) { limits(container(j), "nvidia.com/gpu", "0") },
			"ask for no GPU (nvidia.com/gpu), and GPUs are what Takt shares out: add one"},
		"another device": {func(j *kubeflow.PyTorchJob) { limits(container(j), "acme.com/npu", "1") },
			"ask for acme.com/npu, which Takt does not count as a GPU here"},
		"a claim": {func(j *kubeflow.PyTorchJob) {
			limits(container(j), "cpu", "1")
			container(j).Resources.Claims = []corev1.ResourceClaim{{Name: "gpu"}}
		}, "ask for devices by a ResourceClaim, which Takt does not count, and GPUs are what it shares out: ask for " +
			"nvidia.com/gpu in the resource limits of a container instead."},
		"a claim of the pod": {func(j *kubeflow.PyTorchJob) {
			limits(container(j), "cpu", "1")
			j.Spec.PyTorchReplicaSpecs["Worker"].Template.Spec.ResourceClaims = []corev1.PodResourceClaim{{Name: "gpu"}}
		}, "ask for devices by a ResourceClaim, which"},
		"those of its master": {func(j *kubeflow.PyTorchJob) {
			master := *j.Spec.PyTorchReplicaSpecs["Worker"].DeepCopy()
			master.Replicas = new(int32(1))
			j.Spec.PyTorchReplicaSpecs["Master"], j.Spec.ElasticPolicy = &master, nil
			limits(container(j), "cpu", "1")
		}, "Only the first pod of PyTorchJob/resnet, which leads it, asks for GPUs (nvidia.com/gpu), and Takt does not " +
			"count those alone: have each worker ask for as many in the resource limits of a container, or leave out the " +
			"workers."},
	} {
		job, ej := fixture.PyTorchJob("resnet", 2, test.change), fixture.ElasticJob("resnet")
		o := fixture.Stopped(t, interceptor.Funcs{}, job, ej, fixture.Node("node", "8"))
		s, err := o.View.Look(t.Context(), ej)
		if err != nil {
			t.Fatal(err)
		}
		refused, err := o.View.Refuse(t.Context(), s)
		if err != nil || refused == nil || refused.Reason != "NoGPUs" || !strings.Contains(refused.Message, test.want) {
			t.Errorf("%s: refused as %+v (%v), want %q", name, refused, err, test.want)
		}
	}
}

// A master beside workers of whom there are none trains alone, and is sized as one.
func TestAMasterBesideNoWorkersIsNotRefused(t *testing.T) {
	job := fixture.PyTorchJob("resnet", 0, func(j *kubeflow.PyTorchJob) {
		master := *j.Spec.PyTorchReplicaSpecs["Worker"].DeepCopy()
		master.Replicas = new(int32(1))
		j.Spec.PyTorchReplicaSpecs["Master"], j.Spec.ElasticPolicy = &master, nil
		container(j).Resources = corev1.ResourceRequirements{}
	})
	ej := fixture.ElasticJob("resnet")
	o := fixture.Stopped(t, interceptor.Funcs{}, job, ej, fixture.Node("node", "8"))
	s, err := o.View.Look(t.Context(), ej)
	if err != nil {
		t.Fatal(err)
	}
	if refused, err := o.View.Refuse(t.Context(), s); err != nil || refused != nil || !s.Job.Alone {
		t.Errorf("alone: %t, refused as %+v (%v)", s.Job.Alone, refused, err)
	}
}

func container(j *kubeflow.PyTorchJob) *corev1.Container {
	return &j.Spec.PyTorchReplicaSpecs[kubeflow.PyTorchJobReplicaTypeWorker].Template.Spec.Containers[0]
}
