package planning

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// present is the moment that all tests begin at.
var present = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// resnet is the ElasticJob of a PyTorchJob of the same name.
func resnet(change ...func(*v1alpha1.ElasticJob)) *v1alpha1.ElasticJob {
	ej := &v1alpha1.ElasticJob{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "team", Name: "resnet", UID: "ej-resnet", Generation: 1,
			CreationTimestamp: metav1.NewTime(present.Add(-time.Hour)),
		},
		Spec: v1alpha1.ElasticJobSpec{
			JobRef: v1alpha1.JobReference{APIVersion: "kubeflow.org/v1", Kind: "PyTorchJob", Name: "resnet"},
			Queue:  "default", Guarantee: v1alpha1.GuaranteePromise,
		},
	}
	for _, f := range change {
		f(ej)
	}
	return ej
}

// oneGPUEach is a pod that asks for one GPU.
func oneGPUEach() corev1.PodTemplateSpec {
	return corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{{
		Name:      "pytorch",
		Resources: corev1.ResourceRequirements{Limits: corev1.ResourceList{"nvidia.com/gpu": resource.MustParse("1")}},
	}}}}
}

// outsiderPod is a pod of one GPU whose scheduler has said for a minute that it lacks one.
func outsiderPod(name string) *corev1.Pod {
	template := oneGPUEach()
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: name, UID: "pod-other"}, Spec: template.Spec}
	pod.Status.Phase = corev1.PodPending
	pod.Status.Conditions = []corev1.PodCondition{{
		Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable,
		Message:            "0/1 nodes are available: 1 Insufficient nvidia.com/gpu.",
		LastTransitionTime: metav1.NewTime(present.Add(-time.Minute)),
	}}
	return pod
}

// eightGPUs is a node that is ready and has that many.
func eightGPUs(name string) *corev1.Node {
	has := corev1.ResourceList{"nvidia.com/gpu": resource.MustParse("8")}
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"nvidia.com/gpu.product": "A100"}},
		Status: corev1.NodeStatus{
			Capacity: has, Allocatable: has,
			Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}},
		},
	}
}
