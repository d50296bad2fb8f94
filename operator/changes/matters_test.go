package changes_test

import (
	"testing"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/changes"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/kind/known"
)

func TestWhatWakesThePlanner(t *testing.T) {
	o := fixture.Stopped(t, interceptor.Funcs{})
	pytorch, _ := known.ByKind("PyTorchJob")
	gone := metav1.NewTime(fixture.Start)
	nodeMatters := changes.NodeMatters(o.GPUs)
	node := func(change func(*corev1.Node)) *corev1.Node { n := fixture.Node("node", "8"); change(n); return n }
	pod := func(change func(*corev1.Pod)) *corev1.Pod {
		p := fixture.Worker0(fixture.PyTorchJob("job", 1), "")
		change(p)
		return p
	}
	profileMatters := func(before, after any) bool { return o.Shared.Matters(before, after, fixture.Start) }
	profileOfVersion := func(version string) *v1alpha1.TrainingProfile {
		return &v1alpha1.TrainingProfile{ObjectMeta: metav1.ObjectMeta{Name: "resnet50", ResourceVersion: version}}
	}
	job := func(change func(*kubeflow.PyTorchJob)) *kubeflow.PyTorchJob {
		return fixture.PyTorchJob("job", 1, change)
	}
	for name, test := range map[string]struct {
		matters       func(before, after any) bool
		before, after any
		want          bool
	}{
		"a node comes": {nodeMatters, nil, fixture.Node("node", "8"), true},
		"a node reports it is well": {nodeMatters, fixture.Node("node", "8"),
			node(func(n *corev1.Node) { n.Status.Conditions[0].LastHeartbeatTime = gone }), false},
		"a node is cordoned": {
			nodeMatters, fixture.Node("node", "8"), node(func(n *corev1.Node) { n.Spec.Unschedulable = true }), true,
		},
		"a node is to go": {
			nodeMatters, fixture.Node("node", "8"), node(func(n *corev1.Node) { n.DeletionTimestamp = &gone }), true,
		},
		"a node is not ready": {nodeMatters, fixture.Node("node", "8"),
			node(func(n *corev1.Node) { n.Status.Conditions[0].Status = "Unknown" }), true},
		"a node is tainted": {nodeMatters, fixture.Node("node", "8"),
			node(func(n *corev1.Node) { n.Spec.Taints = []corev1.Taint{{Key: "mine"}} }), true},
		"a node is told to go": {changes.NodeMatters(o.GPUs), fixture.Node("node", "8"),
			node(fixture.Preempted), true},
		"there is notice that a node goes": {changes.NodeLeaves(o.GPUs), fixture.Node("node", "8"), node(fixture.Goes),
			true},
		"there is notice of one that has come": {changes.NodeLeaves(o.GPUs), nil, node(fixture.Goes), true},
		"there was notice before":              {changes.NodeLeaves(o.GPUs), node(fixture.Goes), node(fixture.Goes), false},
		"a node is to go no more": {changes.NodeLeaves(o.GPUs), node(fixture.Goes), fixture.Node("node", "8"),
			false},
		"a node is labelled": {
			nodeMatters, fixture.Node("node", "8"), node(func(n *corev1.Node) { n.Labels["a"] = "b" }), true,
		},
		"a node has fewer GPUs": {nodeMatters, fixture.Node("node", "8"), fixture.Node("node", "7"), true},
		"a pod comes":           {changes.PodMatters(o.GPUs), nil, pod(func(*corev1.Pod) {}), true},
		"a pod has a node": {
			changes.PodMatters(o.GPUs), pod(func(*corev1.Pod) {}), pod(func(p *corev1.Pod) { p.Spec.NodeName = "node" }), true,
		},
		"a pod ends": {
			changes.PodMatters(o.GPUs), pod(func(*corev1.Pod) {}), pod(func(p *corev1.Pod) { p.Status.Phase = "Failed" }), true,
		},
		"a pod is to go": {changes.PodMatters(o.GPUs), pod(func(*corev1.Pod) {}),
			pod(func(p *corev1.Pod) { p.DeletionTimestamp = &gone }), true},
		"a pod is not held any more": {changes.PodMatters(o.GPUs),
			pod(func(p *corev1.Pod) { p.Spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: "later"}} }),
			pod(func(*corev1.Pod) {}), true},
		"a pod is annotated": {changes.PodMatters(o.GPUs), pod(func(*corev1.Pod) {}),
			pod(func(p *corev1.Pod) { p.Annotations = map[string]string{"a": "b"} }), false},
		"a scheduler says that a pod lacks GPUs": {changes.PodMatters(o.GPUs), pod(func(*corev1.Pod) {}),
			pod(func(p *corev1.Pod) {
				p.Status.Conditions = fixture.Outsider("other").Status.Conditions
			}), true},
		"a pod is to have what others give up": {changes.PodMatters(o.GPUs), pod(func(*corev1.Pod) {}),
			pod(func(p *corev1.Pod) { p.Status.NominatedNodeName = "node" }), true},
		"a resize goes on": {
			changes.ResizeMatters, fixture.ResizeOf(fixture.ElasticJob("job"), 1, 1,
				2), fixture.ResizeOf(fixture.ElasticJob("job"), 1, 1, 2), false,
		},
		"a resize has ended": {changes.ResizeMatters, fixture.ResizeOf(fixture.ElasticJob("job"), 1, 1, 2),
			func() *v1alpha1.Resize {
				r := fixture.ResizeOf(fixture.ElasticJob("job"), 1, 1, 2)
				r.Status.Conditions = []metav1.Condition{{Type: v1alpha1.ConditionFailed}}
				return r
			}(), true},
		"others learn": {profileMatters, &v1alpha1.TrainingProfile{}, profileOfVersion("2"), true},
		"a job learns for itself": {profileMatters, &v1alpha1.TrainingProfile{}, func() *v1alpha1.TrainingProfile {
			p := profileOfVersion("2")
			p.OwnerReferences = []metav1.OwnerReference{{Name: "job"}}
			return p
		}(), false},
		"how far a stopped job is, is written on it": {changes.JobMatters(pytorch), job(fixture.SuspendedAtFirst),
			job(func(j *kubeflow.PyTorchJob) {
				fixture.SuspendedAtFirst(j)
				j.Annotations = map[string]string{"takt.dev/progress": "42%"}
			}), true},
		"a pod without GPUs comes": {changes.PodMatters(o.GPUs), nil, pod(func(p *corev1.Pod) {
			p.Spec.Containers[0].Resources.Limits = corev1.ResourceList{"cpu": resource.MustParse("1")}
		}), false},
		"a job tells of its progress": {changes.JobMatters(pytorch), job(func(*kubeflow.PyTorchJob) {}),
			job(func(j *kubeflow.PyTorchJob) { j.Annotations = map[string]string{"takt.dev/progress": "42%"} }), false},
		"a job is scaled": {
			changes.JobMatters(pytorch), job(func(*kubeflow.PyTorchJob) {}), fixture.PyTorchJob("job", 2), true,
		},
		"a job is suspended": {
			changes.JobMatters(pytorch), job(func(*kubeflow.PyTorchJob) {}), job(fixture.SuspendedAtFirst), true,
		},
		"a worker of a job that is resized by a restart has finished": {changes.JobMatters(pytorch),
			job(fixture.ResizedByRestart),
			job(func(j *kubeflow.PyTorchJob) {
				fixture.ResizedByRestart(j)
				j.Status.ReplicaStatuses = map[kubeflow.ReplicaType]*kubeflow.ReplicaStatus{"Worker": {Succeeded: 1}}
			}), true},
		"a job is to go": {changes.JobMatters(pytorch), job(func(*kubeflow.PyTorchJob) {}),
			job(func(j *kubeflow.PyTorchJob) { j.DeletionTimestamp = &gone }), true},
		"an ElasticJob is told": {changes.ElasticJobMatters, fixture.ElasticJob("job"),
			fixture.ElasticJob("job", func(ej *v1alpha1.ElasticJob) { ej.Status.Verdict = "OnTrack" }), false},
		"an ElasticJob ends": {changes.ElasticJobMatters, fixture.ElasticJob("job"),
			fixture.ElasticJob("job", func(ej *v1alpha1.ElasticJob) {
				ej.Status.Conditions = []metav1.Condition{{Type: v1alpha1.ConditionSucceeded, Status: metav1.ConditionTrue}}
			}), true},
		"an ElasticJob changes": {changes.ElasticJobMatters, fixture.ElasticJob("job"),
			fixture.ElasticJob("job", func(ej *v1alpha1.ElasticJob) { ej.Generation++ }), true},
	} {
		t.Run(name, func(t *testing.T) {
			if got := test.matters(test.before, test.after); got != test.want {
				t.Errorf("it wakes the planner: %t, want %t", got, test.want)
			}
		})
	}
}

func TestWhatWakesTheReader(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*v1alpha1.ElasticJob)
		want   bool
	}{
		"what it has made known itself": {
			func(ej *v1alpha1.ElasticJob) { ej.Status.Progress.PartsPerMillion, ej.Status.Message = 7, "news" }, false,
		},
		"nothing":      {func(*v1alpha1.ElasticJob) {}, false},
		"another spec": {func(ej *v1alpha1.ElasticJob) { ej.Generation++ }, true},
		"its resize": {func(ej *v1alpha1.ElasticJob) {
			meta.SetStatusCondition(&ej.Status.Conditions, metav1.Condition{
				Type: v1alpha1.ConditionResizing, Status: metav1.ConditionTrue, Reason: "Started",
			})
		}, true},
		"that it is looked after again": {func(ej *v1alpha1.ElasticJob) {
			meta.SetStatusCondition(&ej.Status.Conditions, metav1.Condition{
				Type: v1alpha1.ConditionAdmitted, Status: metav1.ConditionTrue, Reason: "Planned",
			})
		}, true},
	} {
		before, after := fixture.ElasticJob("resnet"), fixture.ElasticJob("resnet", test.change)
		if got := changes.WakesReader(before, after); got != test.want {
			t.Errorf("%s wakes it: %t", name, got)
		}
	}
	if !changes.WakesReader(nil, fixture.ElasticJob("resnet")) {
		t.Error("a new one does not wake it")
	}
}

// The end of a pod without GPUs is told to those alone who may wait for its CPU, memory or ports.
func TestWhatLeavesRoom(t *testing.T) {
	o := fixture.Stopped(t, interceptor.Funcs{})
	gone := metav1.NewTime(fixture.Start)
	pod := func(changes ...func(*corev1.Pod)) *corev1.Pod {
		p := &corev1.Pod{Spec: corev1.PodSpec{NodeName: "node", Containers: []corev1.Container{{Name: "web"}}}}
		for _, change := range changes {
			change(p)
		}
		return p
	}
	withGPUs := func(p *corev1.Pod) { p.Spec.Containers = fixture.OneGPU().Spec.Containers }
	ended := func(p *corev1.Pod) { p.Status.Phase = corev1.PodSucceeded }
	goes := func(p *corev1.Pod) { p.DeletionTimestamp = &gone }
	waits := func(p *corev1.Pod) { p.Spec.NodeName = "" }
	ofAJob := func(p *corev1.Pod) {
		p.OwnerReferences = fixture.Worker0(fixture.PyTorchJob("job", 1), "").OwnerReferences
	}
	for name, test := range map[string]struct {
		before *corev1.Pod
		after  any
		leaves bool
		wakes  bool // as it is gone
	}{
		"it is written":                    {pod(), pod(), false, false},
		"it ends":                          {pod(), pod(ended), true, false},
		"it is told to go":                 {pod(), pod(goes), true, false},
		"it goes on going":                 {pod(goes), pod(goes), false, false},
		"it is gone":                       {pod(), nil, true, false},
		"it is gone in the end":            {pod(goes), nil, true, false},
		"it is gone after its end":         {pod(ended), nil, false, false},
		"it is gone, and never had a node": {pod(waits), nil, false, false},
		"it had GPUs":                      {pod(withGPUs), nil, false, true},
		"it was of a job":                  {pod(ofAJob), nil, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			if got := changes.LeavesRoom(o.GPUs)(test.before, test.after) == "node"; got != test.leaves {
				t.Errorf("it leaves room: %t, want %t", got, test.leaves)
			}
			if got := changes.PodGoneMatters(o.GPUs)(test.before); test.after == nil && got != test.wakes {
				t.Errorf("it wakes the planner: %t, want %t", got, test.wakes)
			}
		})
	}
	if !changes.PodGoneMatters(o.GPUs)(fixture.Node("node", "8")) {
		t.Error("a node that is gone does not wake the planner")
	}
}
