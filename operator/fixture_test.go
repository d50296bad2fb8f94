package operator

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/cached"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/installed"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/kind/known"
	"github.com/takt-dev/takt/operator/kind/written"
	"github.com/takt-dev/takt/operator/learn"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/operator/rooms"
	"github.com/takt-dev/takt/operator/settings"
	"github.com/takt-dev/takt/operator/telling"
)

// start is the present of every test.
var start = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// builder lets index say to a fake client by what objects are found.
type builder struct{ *fake.ClientBuilder }

func (b builder) IndexField(_ context.Context, o client.Object, field string, value client.IndexerFunc) error {
	b.WithIndex(o, field, value)
	return nil
}

// fewKinds are those that the tests of this package write. The fake API server makes a list of all kinds for each
// write.
var fewKinds = sync.OnceValues(func() (*runtime.Scheme, error) {
	few := runtime.NewScheme()
	return few, (&runtime.SchemeBuilder{corev1.AddToScheme, autoscalingv2.AddToScheme, v1alpha1.AddToScheme,
		known.AddToScheme}).AddToScheme(few)
})

// stopped is an operator of which nothing runs, in a cluster that has these objects.
func stopped(t *testing.T, funcs interceptor.Funcs, objects ...client.Object) *rooms.Rooms {
	t.Helper()
	scheme, err := fewKinds()
	if err != nil {
		t.Fatal(err)
	}
	b := builder{fake.NewClientBuilder().WithScheme(
		scheme).WithObjects(objects...).WithInterceptorFuncs(funcs).WithReturnManagedFields().
		WithTypeConverters(managedfields.NewDeducedTypeConverter()).
		WithStatusSubresource(&v1alpha1.ElasticJob{}, &v1alpha1.Resize{}, &v1alpha1.TrainingQueue{},
			&v1alpha1.TrainingProfile{})}
	if err := cached.Index(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	c := b.Build()
	s := settings.Default()
	now := func() time.Time { return start }
	o := rooms.New(s, c, c, now, logr.Discard())
	o.GPUs = capacity.Options{Resources: []corev1.ResourceName{"nvidia.com/gpu"}, ProductLabel: s.GPUs.ProductLabel,
		LeavingTaints: s.LeavingNodes.Taints, LeavingConditions: s.LeavingNodes.Conditions,
		LeaveWithin: s.Limits().DrainWithin}
	o.Events, o.Profiles = telling.NewRecorder(events.NewFakeRecorder(100), now), &learn.Store{Client: c}
	o.Planner.Warm = true
	o.Kinds = installed.AllServed()
	o.Furnish()
	return o
}

// decides has the next plan decide on one resize, whatever there is to say for it.
func decides(o *rooms.Rooms, r elastic.Resize, why string) {
	o.Planner.Decide = func(elastic.Snapshot) elastic.Decision {
		return elastic.Decision{
			Jobs: []elastic.Outcome{{Name: r.Job, Workers: r.To, Why: why}}, Resizes: []elastic.Resize{r},
		}
	}
}

// unseen is a run that nobody has seen before.
func unseen() *learn.Run { return learn.NewRun("run") }

// get reads an object, and fails the test if it is not there.
func get[T client.Object](t *testing.T, o *rooms.Rooms, name string, into T) T {
	t.Helper()
	if err := o.Client.Get(t.Context(), types.NamespacedName{Namespace: "team", Name: name}, into); err != nil {
		t.Fatalf("read %T %s: %v", into, name, err)
	}
	return into
}

func request(name string) reconcile.Request {
	return reconcile.Request{NamespacedName: types.NamespacedName{Namespace: "team", Name: name}}
}

// gpuNode is a node that is ready and has some GPUs.
func gpuNode(name string, gpus string) *corev1.Node {
	has := corev1.ResourceList{"nvidia.com/gpu": resource.MustParse(gpus)}
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"nvidia.com/gpu.product": "A100"}},
		Status: corev1.NodeStatus{
			Capacity: has, Allocatable: has,
			Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}},
		},
	}
}

// elasticJob is the ElasticJob of a PyTorchJob of the same name.
func elasticJob(name string, change ...func(*v1alpha1.ElasticJob)) *v1alpha1.ElasticJob {
	ej := &v1alpha1.ElasticJob{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "team", Name: name, UID: types.UID("ej-" + name), Generation: 1,
			CreationTimestamp: metav1.NewTime(start.Add(-time.Hour)),
		},
		Spec: v1alpha1.ElasticJobSpec{
			JobRef: v1alpha1.JobReference{APIVersion: "kubeflow.org/v1", Kind: "PyTorchJob", Name: name},
			Queue:  "default", Guarantee: v1alpha1.GuaranteePromise,
		},
	}
	for _, f := range change {
		f(ej)
	}
	return ej
}

// pytorchJob is an elastic job of one worker at least and eight at most.
func pytorchJob(name string, workers int32, change ...func(*kubeflow.PyTorchJob)) *kubeflow.PyTorchJob {
	job := &kubeflow.PyTorchJob{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "team", Name: name, UID: types.UID("job-" + name),
			CreationTimestamp: metav1.NewTime(start.Add(-time.Hour)),
		},
		Spec: kubeflow.PyTorchJobSpec{
			ElasticPolicy: &kubeflow.ElasticPolicy{
				MinReplicas: new(int32(1)), MaxReplicas: new(int32(8)), MaxRestarts: new(int32(100)),
			},
			PyTorchReplicaSpecs: map[kubeflow.ReplicaType]*kubeflow.ReplicaSpec{
				kubeflow.PyTorchJobReplicaTypeWorker: {
					Replicas: &workers, RestartPolicy: kubeflow.RestartPolicyOnFailure, Template: oneGPU(),
				},
			},
		},
	}
	for _, f := range change {
		f(job)
	}
	return job
}

// finishedAt has a job have ended well at a moment.
func finishedAt(end time.Time) func(*kubeflow.PyTorchJob) {
	return func(job *kubeflow.PyTorchJob) {
		at := metav1.NewTime(end)
		job.Status.CompletionTime = &at
		job.Status.Conditions = []kubeflow.JobCondition{
			{Type: kubeflow.JobSucceeded, Status: corev1.ConditionTrue, LastTransitionTime: at},
		}
	}
}

// askedFor is a job that Takt has asked for the size that it has.
func askedFor(epoch resize.Epoch, stage resize.Stage) func(*kubeflow.PyTorchJob) {
	return func(job *kubeflow.PyTorchJob) {
		size := resize.Workers(*job.Spec.PyTorchReplicaSpecs[kubeflow.PyTorchJobReplicaTypeWorker].Replicas)
		text, err := written.EncodeAsk(job.UID, resize.Ask{Epoch: epoch, Stage: stage, Workers: size, At: start}, size)
		if err != nil {
			panic(err)
		}
		metav1.SetMetaDataAnnotation(&job.ObjectMeta, kind.AskAnnotation, text)
	}
}

func oneGPU() corev1.PodTemplateSpec {
	return corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{{
		Name:      "pytorch",
		Resources: corev1.ResourceRequirements{Limits: corev1.ResourceList{"nvidia.com/gpu": resource.MustParse("1")}},
	}}}}
}

// worker0 is the first worker of a job, running.
func worker0(job *kubeflow.PyTorchJob, node string) *corev1.Pod {
	template := oneGPU()
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "team", Name: job.Name + "-worker-0", UID: types.UID("pod-" + job.Name),
			Labels: map[string]string{
				kubeflow.JobNameLabel: job.Name, kubeflow.ReplicaTypeLabel: "worker", kubeflow.ReplicaIndexLabel: "0",
			},
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion: "kubeflow.org/v1", Kind: "PyTorchJob", Name: job.Name, UID: job.UID, Controller: new(true),
			}},
		},
		Spec:   corev1.PodSpec{NodeName: node, Containers: template.Spec.Containers},
		Status: corev1.PodStatus{Phase: corev1.PodRunning},
	}
}

// workersOf are the first workers of a job, all on one node.
func workersOf(job *kubeflow.PyTorchJob, count int, node string) (pods []*corev1.Pod) {
	for i := range count {
		pod := worker0(job, node)
		pod.Name, pod.UID = fmt.Sprintf("%s-worker-%d", job.Name, i), types.UID(fmt.Sprintf("pod-%d", i))
		pod.Labels[kubeflow.ReplicaIndexLabel] = fmt.Sprint(i)
		pods = append(pods, pod)
	}
	return pods
}

// sourcesOf reads progress from these sources.
func sourcesOf(every time.Duration, sources ...progress.Source) *progress.Reader {
	reader, err := progress.NewReader(every, sources...)
	if err != nil {
		panic(err)
	}
	return reader
}
