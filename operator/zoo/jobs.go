package zoo

import (
	"context"
	"fmt"
	"maps"
	"strconv"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// look has the pods of a job be what the job asks for, as training-operator does.
func (z *Zoo) look(t *Training) {
	var job kubeflow.PyTorchJob
	if z.Server.Get(context.Background(), t.key, &job) != nil || ended(&job) {
		return
	}
	wanted := int(*job.Spec.PyTorchReplicaSpecs[kubeflow.PyTorchJobReplicaTypeWorker].Replicas)
	if job.Spec.RunPolicy.Suspend != nil && *job.Spec.RunPolicy.Suspend {
		wanted = 0
	}
	has := map[int]bool{}
	for _, pod := range t.pods {
		index, _ := strconv.Atoi(pod.Labels[kubeflow.ReplicaIndexLabel])
		has[index] = true
		if index >= wanted && pod.DeletionTimestamp == nil {
			_ = z.Server.Delete(context.Background(), pod)
		}
	}
	for i := range wanted {
		if !has[i] {
			_ = z.Server.Create(context.Background(), workerOf(&job, i))
		}
	}
}

func ended(job *kubeflow.PyTorchJob) bool {
	for _, c := range job.Status.Conditions {
		if c.Type == kubeflow.JobSucceeded || c.Type == kubeflow.JobFailed {
			return true
		}
	}
	return false
}

// workerOf is a worker of a job, as training-operator makes it.
func workerOf(job *kubeflow.PyTorchJob, index int) *corev1.Pod {
	template := job.Spec.PyTorchReplicaSpecs[kubeflow.PyTorchJobReplicaTypeWorker].Template.DeepCopy()
	labels := map[string]string{
		kubeflow.OperatorNameLabel: "pytorchjob-controller", kubeflow.JobNameLabel: job.Name,
		kubeflow.ReplicaTypeLabel: "worker", kubeflow.ReplicaIndexLabel: strconv.Itoa(index),
	}
	maps.Copy(labels, template.Labels)
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: job.Namespace, Name: fmt.Sprintf("%s-worker-%d", job.Name, index),
			Labels: labels, Annotations: template.Annotations,
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion: kubeflow.GroupVersion.String(), Kind: kubeflow.PyTorchJobKind, Name: job.Name, UID: job.UID,
				Controller: new(true),
			}},
		},
		Spec:   template.Spec,
		Status: corev1.PodStatus{Phase: corev1.PodPending},
	}
}

// end says that a job has ended, and takes its workers away.
func (z *Zoo) end(t *Training, as kubeflow.JobConditionType) {
	now := z.Server.Now()
	Change(z.Server, &kubeflow.PyTorchJob{ObjectMeta: metav1.ObjectMeta{Namespace: t.key.Namespace, Name: t.key.Name}},
		func(job *kubeflow.PyTorchJob) {
			job.Status.CompletionTime = &now
			job.Status.Conditions = append(job.Status.Conditions, kubeflow.JobCondition{
				Type: as, Status: corev1.ConditionTrue, Reason: "PyTorchJob" + string(as), LastTransitionTime: now,
				LastUpdateTime: now,
			})
		})
	t.Ended, t.Succeeded = z.Clock.Now(), as == kubeflow.JobSucceeded
	for _, pod := range t.pods {
		_ = z.Server.Delete(context.Background(), pod, client.GracePeriodSeconds(0))
	}
}

// place gives pods that wait a node, as a scheduler does that knows no gangs.
func (z *Zoo) place() {
	free := map[string]int{}
	var nodes corev1.NodeList
	_ = z.Server.List(context.Background(), &nodes)
	for _, node := range nodes.Items {
		gpus := node.Status.Allocatable[gpu]
		free[node.Name] = int(gpus.Value())
	}
	var pods corev1.PodList
	_ = z.Server.List(context.Background(), &pods)
	for _, pod := range pods.Items {
		free[pod.Spec.NodeName] -= z.gpus(&pod)
	}
	for _, pod := range pods.Items {
		if pod.Spec.NodeName != "" {
			continue
		}
		for _, node := range nodes.Items {
			if free[node.Name] < z.gpus(&pod) || !matches(node.Labels, pod.Spec.NodeSelector) {
				continue
			}
			free[node.Name] -= z.gpus(&pod)
			Change(z.Server, &pod, func(p *corev1.Pod) { p.Spec.NodeName = node.Name })
			break
		}
	}
}

func matches(labels, selector map[string]string) bool {
	for key, value := range selector {
		if labels[key] != value {
			return false
		}
	}
	return true
}

const gpu = corev1.ResourceName("nvidia.com/gpu")

func (*Zoo) gpus(pod *corev1.Pod) int {
	n := 0
	for _, c := range pod.Spec.Containers {
		gpus := c.Resources.Limits[gpu]
		n += int(gpus.Value())
	}
	return n
}

// starts is how long a pod takes from its node to its first line, and leaves how long after it was told to.
const (
	starts = 20 * time.Second
	leaves = 4 * time.Second
)

// attend does for a pod what its kubelet does.
func (z *Zoo) attend(before, after *corev1.Pod) {
	placed := after.Spec.NodeName != "" && (before == nil || before.Spec.NodeName == "")
	leaving := after.DeletionTimestamp != nil && (before == nil || before.DeletionTimestamp == nil)
	same := func(do func()) func() {
		return func() {
			var now corev1.Pod
			if z.Server.Get(context.Background(), client.ObjectKeyFromObject(after), &now) == nil && now.UID == after.UID {
				do()
			}
		}
	}
	if placed {
		z.Clock.In(starts+z.pull(after), same(func() {
			Change(z.Server, after, func(p *corev1.Pod) {
				if p.DeletionTimestamp == nil {
					p.Status.Phase, p.Status.StartTime = corev1.PodRunning, new(z.Server.Now())
				}
			})
		}))
	}
	if leaving {
		wait := leaves
		if t := z.trainings[ownerOf(after)]; t != nil && t.Life.Leaves > 0 {
			wait, t.Life.Saved = t.Life.Leaves, t.Life.Steps
		}
		z.Clock.In(wait, same(func() {
			if t := z.trainings[ownerOf(after)]; t != nil && t.Life.ExitsZero && z.running(t) > 0 {
				z.end(t, kubeflow.JobSucceeded)
			}
			_ = z.Server.Delete(context.Background(), after, client.GracePeriodSeconds(0))
		}))
	}
}

// pull is how long the image of a pod takes to its node.
func (z *Zoo) pull(pod *corev1.Pod) time.Duration {
	owner := ownerOf(pod)
	t, has := z.trainings[owner], pod.Spec.NodeName+" "+owner
	if t == nil || t.Life.Pulls == 0 || z.pulled[has] {
		return 0
	}
	z.Clock.In(t.Life.Pulls, func() { z.pulled[has] = true })
	return t.Life.Pulls
}

func ownerOf(o client.Object) string {
	if owner := metav1.GetControllerOf(o); owner != nil {
		return owner.Name
	}
	return ""
}
