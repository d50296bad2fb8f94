package planning_test

import (
	"strings"
	"testing"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/rooms"
)

// withCPUMaster is a job of a master without GPUs beside its workers, as a coordinator is.
func withCPUMaster(j *kubeflow.PyTorchJob) {
	all := j.Spec.PyTorchReplicaSpecs
	master := all["Worker"].DeepCopy()
	master.Replicas = new(int32(1))
	master.Template.Spec.Containers[0].Resources = corev1.ResourceRequirements{}
	j.Spec.ElasticPolicy, all["Master"] = nil, master
}

func resizesOf(t *testing.T, o *rooms.Rooms) []v1alpha1.Resize {
	t.Helper()
	fixture.Plans(t, o)
	var all v1alpha1.ResizeList
	if err := o.Client.List(t.Context(), &all); err != nil {
		t.Fatal(err)
	}
	return all.Items
}

func TestARunningJobWithAMasterWithoutGPUsTrainsOn(t *testing.T) {
	job := fixture.PyTorchJob("resnet", 3, withCPUMaster)
	master := fixture.Worker0(job, "cpu")
	master.Name, master.UID = "resnet-master-0", "pod-master"
	master.Labels[kubeflow.ReplicaTypeLabel] = "master"
	master.Spec.Containers = job.Spec.PyTorchReplicaSpecs["Master"].Template.Spec.Containers
	objects := []client.Object{job, fixture.ElasticJob("resnet", fixture.BestEffort), master, fixture.Node("node", "3")}
	for _, pod := range fixture.WorkersOf(job, 3, "node") {
		objects = append(objects, pod)
	}
	for _, r := range resizesOf(t, fixture.Stopped(t, interceptor.Funcs{}, objects...)) {
		t.Errorf("%d -> %d: %s", r.Spec.From, r.Spec.To, r.Spec.Message)
	}
}

func TestAJobWithAMasterWithoutGPUsStartsWhereItsWorkersHaveRoom(t *testing.T) {
	job := fixture.PyTorchJob("resnet", 3, withCPUMaster, fixture.SuspendedAtFirst)
	o := fixture.Stopped(t, interceptor.Funcs{}, job, fixture.ElasticJob("resnet", fixture.BestEffort),
		fixture.Node("node", "3"))
	if len(resizesOf(t, o)) != 1 {
		t.Error("it does not start")
	}
}

func TestAJobThatRunsOnNodesThatTaktDoesNotHandOutTrainsOn(t *testing.T) {
	job := fixture.PyTorchJob("resnet", 4, fixture.ResizedByRestart)
	theirs, ours := fixture.Node("theirs", "8"), fixture.Node("ours", "2")
	ours.Labels["pool"] = "takt"
	objects := []client.Object{job, fixture.ElasticJob("resnet"), theirs, ours}
	for _, pod := range fixture.WorkersOf(job, 4, "theirs") {
		objects = append(objects, pod)
	}
	o := fixture.Stopped(t, interceptor.Funcs{}, objects...)
	o.Planner.Settings.NodeSelector = map[string]string{"pool": "takt"}
	o.Planner.GPUs.NodeSelector = o.Planner.Settings.NodeSelector
	for _, r := range resizesOf(t, o) {
		t.Errorf("%d -> %d: %s", r.Spec.From, r.Spec.To, r.Spec.Message)
	}
	s, err := o.View.Look(t.Context(), fixture.Get(t, o, "resnet", &v1alpha1.ElasticJob{}))
	if err != nil {
		t.Fatal(err)
	}
	if h := s.Known.HinderedBy(); h.Reason != memory.ReasonOtherNodes || !strings.Contains(h.Message, "such as theirs") {
		t.Errorf("it is told: %+v", h)
	}
}
