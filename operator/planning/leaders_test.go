package planning_test

import (
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/kind/written"
	"github.com/takt-dev/takt/operator/view"
)

// masterOf is the pod of the master of a job, which takes no GPU.
func masterOf(job *kubeflow.PyTorchJob, node string) *corev1.Pod {
	master := fixture.Worker0(job, node)
	master.Name, master.UID = job.Name+"-master-0", "pod-master"
	master.Labels[kubeflow.ReplicaTypeLabel] = "master"
	master.Spec.Containers = job.Spec.PyTorchReplicaSpecs["Master"].Template.Spec.Containers
	return master
}

// withoutAny is a node that has no GPUs.
func withoutAny(name string) *corev1.Node {
	n := fixture.Node(name, "1")
	n.Status.Capacity, n.Status.Allocatable, n.Labels = nil, nil, nil
	return n
}

// asked has a job be as Takt has asked for it.
func asked(ask resize.Ask) func(*kubeflow.PyTorchJob) {
	return func(j *kubeflow.PyTorchJob) {
		text, err := written.EncodeAsk(j.UID, ask, written.Before{Size: ask.Workers, Suspended: true})
		if err != nil {
			panic(err)
		}
		j.Spec.RunPolicy.Suspend = new(ask.Suspended)
		metav1.SetMetaDataAnnotation(&j.ObjectMeta, kind.AskAnnotation, text)
	}
}

// At its end a job is planned for as long as its master evaluates, when its workers have finished.
func TestAJobWithAMasterWithoutGPUsIsPlannedForAtItsEnd(t *testing.T) {
	job := fixture.PyTorchJob("resnet", 3, withCPUMaster, func(j *kubeflow.PyTorchJob) {
		j.Status.ReplicaStatuses = map[kubeflow.ReplicaType]*kubeflow.ReplicaStatus{
			"Worker": {Succeeded: 3}, "Master": {Active: 1}}
	})
	objects := []client.Object{job, fixture.ElasticJob("resnet"), masterOf(job, "cpu"), fixture.Node("node", "3")}
	for _, pod := range fixture.WorkersOf(job, 3, "node") {
		pod.Status.Phase = corev1.PodSucceeded
		objects = append(objects, pod)
	}
	o := fixture.Stopped(t, interceptor.Funcs{}, objects...)
	fixture.Plans(t, o)
	s, err := o.View.Look(t.Context(), fixture.Get(t, o, "resnet", &v1alpha1.ElasticJob{}))
	if err != nil || s.Known.LastPlanned() == nil {
		t.Errorf("it is not planned for (%v): %+v", err, s.Known.HinderedBy())
	}
}

// Its master alone has a node: that holds nothing, and is no smaller size.
func TestAJobThatIsNeverStoppedIsNotResizedForItsMaster(t *testing.T) {
	job := fixture.PyTorchJob("resnet", 3, withCPUMaster)
	objects := []client.Object{job, fixture.ElasticJob("resnet", fixture.BestEffort, forGood), masterOf(job, "cpu"),
		withoutAny("cpu"), fixture.Node("node", "3")}
	objects = append(objects, fixture.CrewOn(job, "", "", "")...)
	for _, x := range objects {
		x.SetCreationTimestamp(metav1.NewTime(fixture.Start.Add(-time.Hour)))
	}
	o := fixture.Stopped(t, interceptor.Funcs{}, objects...)
	now := fixture.Start
	o.Now = func() time.Time { return now }
	for range 4 {
		fixture.Plans(t, o)
		now = now.Add(2 * time.Second)
	}
	if resizes := fixture.ResizesOf(t, o); len(resizes) > 0 {
		t.Errorf("it is resized: %v", resizes)
	}
}

// A master is gone before its workers, which save for long: what they hold is not free.
func TestWhatWorkersHoldIsNotFreeOnceTheirMasterIsGone(t *testing.T) {
	job := fixture.PyTorchJob("resnet", 3, withCPUMaster,
		asked(resize.Ask{Epoch: 1, Stage: resize.Forward, Workers: 4, Suspended: true, At: fixture.Start}))
	ej := fixture.ElasticJob("resnet", fixture.BestEffort)
	r := fixture.ResizeOf(ej, 1, 4, 0, v1alpha1.ConditionProposed, v1alpha1.ConditionCommitted)
	r.Spec.Mode = v1alpha1.ResizeCold
	objects := []client.Object{job, ej, r, fixture.Node("node", "3"), withoutAny("cpu"),
		fixture.ElasticJob("bert", fixture.BestEffort, func(e *v1alpha1.ElasticJob) {
			e.Spec.Deadline = v1alpha1.NewTime(fixture.Start.Add(5 * time.Hour))
		}), fixture.PyTorchJob("bert", 1, fixture.SuspendedAtFirst)}
	gone := metav1.NewTime(fixture.Start.Add(10 * time.Minute))
	for _, pod := range fixture.WorkersOf(job, 3, "node") {
		pod.DeletionTimestamp, pod.DeletionGracePeriodSeconds = &gone, new(int64(600))
		pod.Finalizers = []string{"example.com/saves"}
		objects = append(objects, pod)
	}
	o := fixture.Stopped(t, interceptor.Funcs{}, objects...)
	fixture.Plans(t, o)
	if resizes := fixture.ResizesOf(t, o); len(resizes) > 1 {
		t.Errorf("another starts: %v", resizes)
	}
}

// A master that takes no GPU may be on a node of other GPUs than its workers are to have: it is not where the job is.
func TestAJobIsNotWhereItsMasterIs(t *testing.T) {
	const label = "nvidia.com/gpu.product"
	on := func(product string) func(*kubeflow.PyTorchJob) {
		return func(j *kubeflow.PyTorchJob) {
			j.Spec.PyTorchReplicaSpecs["Worker"].Template.Spec.NodeSelector = map[string]string{label: product}
		}
	}
	job := fixture.PyTorchJob("resnet", 3, withCPUMaster, on("A100"),
		asked(resize.Ask{Epoch: 1, Stage: resize.Forward, Workers: 4, At: fixture.Start}),
		func(j *kubeflow.PyTorchJob) {
			metav1.SetMetaDataAnnotation(&j.ObjectMeta, kind.PinnedAnnotation, `{"`+label+`":"A100"}`)
		})
	ej := fixture.ElasticJob("resnet", fixture.BestEffort, func(e *v1alpha1.ElasticJob) {
		e.Spec.Deadline = v1alpha1.NewTime(fixture.Start.Add(5 * time.Hour))
	})
	r := fixture.ResizeOf(ej, 1, 0, 4, v1alpha1.ConditionProposed)
	r.Spec.Mode, r.Spec.Reason, r.CreationTimestamp = v1alpha1.ResizeCold, "Started", metav1.NewTime(fixture.Start)
	t4, other := fixture.Node("t4", "3"), fixture.PyTorchJob("other", 3, on("T4"))
	t4.Labels[label] = "T4"
	objects := []client.Object{job, ej, r, t4, fixture.Node("a100", "3"), other, masterOf(job, "t4"),
		fixture.PyTorchJob("wait", 1, fixture.SuspendedAtFirst, on("A100")),
		fixture.ElasticJob("other", fixture.BestEffort), fixture.ElasticJob("wait", fixture.BestEffort)}
	objects = append(objects, fixture.CrewOn(other, "t4", "t4", "t4")...)
	objects = append(objects, fixture.CrewOn(job, "", "", "")...)
	o := fixture.Stopped(t, interceptor.Funcs{}, objects...)
	fixture.Plans(t, o)
	if resizes := fixture.ResizesOf(t, o); len(resizes) > 1 {
		t.Errorf("another starts with its GPUs: %v", resizes)
	}
	if why := fixture.Get(t, o, "resnet-1", &v1alpha1.Resize{}).Annotations[view.WithdrawnAnnotation]; why != "" {
		t.Errorf("its start is withdrawn: %s", why)
	}
}

// A pod that goes stays for a while after its node has gone.
func TestAPodWhoseNodeIsGoneHindersNoPlan(t *testing.T) {
	job := fixture.PyTorchJob("resnet", 2)
	gone := metav1.NewTime(fixture.Start.Add(time.Minute))
	objects := []client.Object{job, fixture.ElasticJob("resnet", fixture.BestEffort), fixture.Node("node", "3")}
	for i, pod := range fixture.WorkersOf(job, 2, "node") {
		if i == 1 {
			pod.Spec.NodeName, pod.DeletionTimestamp, pod.Finalizers = "away", &gone, []string{"example.com/saves"}
		}
		objects = append(objects, pod)
	}
	fixture.Plans(t, fixture.Stopped(t, interceptor.Funcs{}, objects...))
}

// A quota of GPUs is for those who take some.
func TestAJobWithAMasterWithoutGPUsStartsWithinItsQuota(t *testing.T) {
	job := fixture.PyTorchJob("resnet", 3, withCPUMaster, fixture.SuspendedAtFirst)
	three := corev1.ResourceList{"requests.nvidia.com/gpu": resource.MustParse("3")}
	quota := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: "gpus"},
		Spec: corev1.ResourceQuotaSpec{Hard: three}, Status: corev1.ResourceQuotaStatus{Hard: three,
			Used: corev1.ResourceList{"requests.nvidia.com/gpu": resource.MustParse("0")}}}
	o := fixture.Stopped(t, interceptor.Funcs{}, job, fixture.ElasticJob("resnet", fixture.BestEffort), quota,
		fixture.Node("node", "8"))
	fixture.Plans(t, o)
	if resizes := fixture.ResizesOf(t, o); len(resizes) != 1 {
		t.Errorf("it does not start: %v", resizes)
	}
}
