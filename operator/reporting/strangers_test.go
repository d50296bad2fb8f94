package reporting_test

import (
	"strings"
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/fixture"
)

// Jobs as people write them have figures that contradict each other. Each is told, with what to do, and is left as it
// is where Takt cannot know what was meant.
func TestWhatStrangersWriteIsTold(t *testing.T) {
	type job = kubeflow.PyTorchJob
	worker := func(j *job) *kubeflow.ReplicaSpec { return j.Spec.PyTorchReplicaSpecs["Worker"] }
	sizes := func(least, most, replicas int32) func(*job) {
		return func(j *job) {
			j.Spec.ElasticPolicy.MinReplicas, j.Spec.ElasticPolicy.MaxReplicas = &least, &most
			worker(j).Replicas = &replicas
		}
	}
	master := func(gpus string) func(*job) {
		return func(j *job) {
			j.Spec.ElasticPolicy = nil
			template := fixture.OneGPU()
			template.Spec.Containers[0].Resources.Limits = corev1.ResourceList{"nvidia.com/gpu": resource.MustParse(gpus)}
			j.Spec.PyTorchReplicaSpecs["Master"] = &kubeflow.ReplicaSpec{Replicas: new(int32(1)), Template: template}
		}
	}
	moved := func(into string) func(*job) {
		return func(j *job) {
			spec := &worker(j).Template.Spec
			limits := spec.Containers[0].Resources
			spec.Containers[0].Resources = corev1.ResourceRequirements{}
			c := corev1.Container{Name: into, Resources: limits}
			if into == "sidecar" {
				spec.Containers = append(spec.Containers, c)
			} else {
				spec.InitContainers = append(spec.InitContainers, c)
			}
		}
	}
	seconds := func(n int64) func(*job) {
		return func(j *job) { j.Spec.RunPolicy.ActiveDeadlineSeconds = &n }
	}
	for name, c := range map[string]struct {
		change func(*job)
		says   string
		alone  bool
	}{
		"nothing is the matter": {func(*job) {}, "", false},
		"a range upside down": {
			sizes(8, 2, 4), "wants 8 workers at least and 2 at most, which cannot be. Lower minReplicas", true,
		},
		"none at least":       {sizes(0, 4, 1), "minReplicas is 0", true},
		"fewer than none":     {sizes(1, -4, 1), "maxReplicas is -4", true},
		"more than at most":   {sizes(1, 4, 6), "The job has 6 workers, and spec.elasticPolicy allows 1 to 4.", true},
		"fewer than at least": {sizes(4, 8, 1), "The job has 1 worker, and spec.elasticPolicy allows 4 to 8.", true},
		"a greater master": {
			master("4"), "The first pod of PyTorchJob/resnet asks for 4 GPUs and each other worker for 1", true,
		},
		"a master like them":      {master("1"), "", false},
		"a master without GPUs":   {master("0"), "", false},
		"GPUs in a sidecar":       {moved("sidecar"), "", false},
		"GPUs in a first step":    {moved("first"), "", false},
		"it is ended too early":   {seconds(600), "The job is ended 10m after it has begun", false},
		"it is ended late":        {seconds(100_000), "", false},
		"it is never to be ended": {seconds(1 << 62), "", false},
		"no retries, nor pods":    {func(j *job) { j.Spec.RunPolicy.TTLSecondsAfterFinished = new(int32(0)) }, "", false},
		"pods are kept at the end": {
			func(j *job) { j.Spec.RunPolicy.CleanPodPolicy = new(kubeflow.CleanPodPolicyAll) }, "", false,
		},
		"a gang that is too large": {func(j *job) {
			j.Spec.RunPolicy.SchedulingPolicy = &kubeflow.SchedulingPolicy{MinAvailable: new(int32(99))}
		}, "", false},
		"another rendezvous": {func(j *job) { j.Spec.ElasticPolicy.RDZVBackend = new(kubeflow.BackendETCD) }, "", false},
		"a node that is nowhere": {func(j *job) { worker(j).Template.Spec.NodeSelector = map[string]string{"no": "where"} },
			"No node that Takt may use can run its workers", false},
	} {
		t.Run(name, func(t *testing.T) {
			job := fixture.PyTorchJob("resnet", 2, fixture.SuspendedAtFirst, c.change)
			ej := fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) {
				ej.Spec.Guarantee, ej.Spec.Deadline = v1alpha1.GuaranteeBestEffort, v1alpha1.NewTime(fixture.Start.Add(6*time.Hour))
			})
			o := fixture.Stopped(t, interceptor.Funcs{}, job, ej, fixture.Node("node", "8"))
			fixture.Plans(t, o)
			if _, err := o.Reporter.Reconcile(t.Context(), fixture.Request("resnet")); err != nil {
				t.Fatal(err)
			}
			ej = fixture.Get(t, o, "resnet", &v1alpha1.ElasticJob{})
			if alone := ej.Status.Verdict == v1alpha1.VerdictLeftAlone; alone != c.alone ||
				!strings.Contains(ej.Status.Message, c.says) {
				t.Errorf("it is %s: %s", ej.Status.Verdict, ej.Status.Message)
			}
			t.Log(ej.Status.Verdict, ej.Status.Message)
			var all v1alpha1.ResizeList
			if err := o.Client.List(t.Context(), &all); err != nil || c.alone && len(all.Items) > 0 {
				t.Errorf("it is resized: %d times (%v)", len(all.Items), err)
			}
		})
	}
}
