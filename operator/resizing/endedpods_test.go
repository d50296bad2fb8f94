package resizing_test

import (
	"fmt"
	"maps"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/rooms"
	"github.com/takt-dev/takt/operator/writing"
)

// jobOfKubernetes is a cluster with a Job and a Job controller that does what that of Kubernetes 1.37 does: it deletes
// pods that have not ended, and makes those that are missing; a pod that has failed stays until the Job is deleted.
type jobOfKubernetes struct {
	*testing.T
	*rooms.Rooms
	now  time.Time
	made int
	zero map[int]bool // those that exit with 0 when they are told to go
	done map[int]bool // those that count as succeeded
}

func (p *jobOfKubernetes) pod(index int) *corev1.Pod {
	p.made++
	job := fixture.KubernetesJob(batchv1.IndexedCompletion)
	if p.Rooms != nil {
		job = fixture.Get(p.T, p.Rooms, "resnet", &batchv1.Job{})
	}
	name := fmt.Sprintf("resnet-%d-%d", index, p.made)
	labels := map[string]string{batchv1.JobNameLabel: "resnet", batchv1.JobCompletionIndexAnnotation: fmt.Sprint(index)}
	maps.Copy(labels, job.Spec.Template.Labels)
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: name, UID: types.UID(name),
			CreationTimestamp: metav1.NewTime(p.now), Labels: labels, Annotations: job.Spec.Template.Annotations,
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "batch/v1", Kind: "Job", Name: "resnet", UID: "job",
				Controller: new(true)}}},
		Spec:   corev1.PodSpec{NodeName: "node", Containers: fixture.OneGPU().Spec.Containers},
		Status: corev1.PodStatus{Phase: corev1.PodRunning, StartTime: &metav1.Time{Time: p.now}},
	}
}

func (p *jobOfKubernetes) controller() {
	job := fixture.Get(p.T, p.Rooms, "resnet", &batchv1.Job{})
	size := int(*job.Spec.Parallelism)
	job.Status.CompletedIndexes = ""
	if job.Spec.Suspend != nil && *job.Spec.Suspend {
		size = 0
		job.Status.StartTime = nil
		job.Status.Conditions = []batchv1.JobCondition{{Type: batchv1.JobSuspended, Status: corev1.ConditionTrue}}
	} else {
		job.Status.Conditions = nil
		job.Status.StartTime = &metav1.Time{Time: p.now}
	}
	var pods corev1.PodList
	if err := p.Client.List(p.Context(), &pods); err != nil {
		p.Fatal(err)
	}
	active := map[int]bool{}
	for i := range pods.Items {
		pod := &pods.Items[i]
		if pod.Status.Phase == corev1.PodFailed || pod.Status.Phase == corev1.PodSucceeded {
			continue
		}
		var index int
		_, _ = fmt.Sscan(pod.Labels[batchv1.JobCompletionIndexAnnotation], &index)
		if index >= size {
			if size == 0 && p.zero[index] {
				p.done[index] = true
			}
			if err := p.Client.Delete(p.Context(), pod); err != nil {
				p.Fatal(err)
			}
			continue
		}
		active[index] = true
	}
	for i := range size {
		if !active[i] && !p.done[i] {
			if err := p.Client.Create(p.Context(), p.pod(i)); err != nil {
				p.Fatal(err)
			}
		}
	}
	job.Status.Active = int32(size)
	all := len(p.done) > 0
	for i := range int(*job.Spec.Completions) {
		if p.done[i] {
			job.Status.CompletedIndexes += fmt.Sprint(i) // as good as
		}
		all = all && p.done[i]
	}
	if all {
		if job.Status.CompletionTime == nil {
			job.Status.CompletionTime = &metav1.Time{Time: p.now}
		}
		job.Status.Conditions = []batchv1.JobCondition{{Type: batchv1.JobComplete, Status: corev1.ConditionTrue,
			LastTransitionTime: *job.Status.CompletionTime}}
	}
	if err := p.Client.Status().Update(p.Context(), job); err != nil {
		p.Fatal(err)
	}
}

// newJobOfKubernetes trains with four workers, of which worker-3 was evicted by its kubelet once: its failed pod is
// there still, beside the one in its place.
func newJobOfKubernetes(t *testing.T, r func(*v1alpha1.ElasticJob) *v1alpha1.Resize) *jobOfKubernetes {
	p := &jobOfKubernetes{T: t, now: fixture.Start, zero: map[int]bool{}, done: map[int]bool{}}
	job := fixture.KubernetesJob(batchv1.IndexedCompletion)
	job.Spec.Parallelism, job.Spec.Completions, job.Spec.BackoffLimit = new(int32(4)), new(int32(4)), new(int32(100))
	job.Spec.Suspend = new(false)
	job.Status.StartTime = &metav1.Time{Time: fixture.Start.Add(-time.Hour)}
	ej := fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) {
		ej.Spec.JobRef = v1alpha1.JobReference{APIVersion: "batch/v1", Kind: "Job", Name: "resnet"}
	})
	objects := []client.Object{job, ej, fixture.Node("node", "8"), r(ej)}
	p.now = fixture.Start.Add(-time.Hour)
	failed := p.pod(3)
	failed.Status.Phase = corev1.PodFailed
	objects = append(objects, failed)
	p.now = fixture.Start.Add(-time.Minute * 30)
	for i := range 4 {
		objects = append(objects, p.pod(i))
	}
	p.now = fixture.Start
	p.Rooms = fixture.Stopped(t, interceptor.Funcs{}, objects...)
	p.Now = func() time.Time { return p.now }
	p.Furnish()
	return p
}

// live has the operator and the Job controller do what they do, for so long or until the Resize is over.
func (p *jobOfKubernetes) live(name string, long time.Duration, first func()) *v1alpha1.Resize {
	until := p.now.Add(long)
	reconciler := writing.Patiently(p.Resizer)
	for p.now.Before(until) {
		if _, err := reconciler.Reconcile(p.Context(), fixture.Request(name)); err != nil {
			p.Fatal(err)
		}
		r := fixture.Get(p.T, p.Rooms, name, &v1alpha1.Resize{})
		if r.Over() {
			return r
		}
		first()
		p.controller()
		p.now = p.now.Add(2 * time.Second)
	}
	p.Fatalf("Resize %s is not over after %v", name, long)
	return nil
}

// resizeBy is a Resize in a mode.
func resizeBy(from, to int32, epoch int64, mode v1alpha1.ResizeMode) func(ej *v1alpha1.ElasticJob) *v1alpha1.Resize {
	return func(ej *v1alpha1.ElasticJob) *v1alpha1.Resize {
		r := fixture.ResizeOf(ej, epoch, from, to)
		r.Spec.Mode = mode
		r.CreationTimestamp = metav1.NewTime(fixture.Start)
		return r
	}
}

// A worker of a Job was evicted once, or failed, and was replaced. The Job is resized by a restart.
func TestAColdResizeOfAJobOneOfWhosePodsHasFailedBefore(t *testing.T) {
	p := newJobOfKubernetes(t, resizeBy(4, 2, 1, v1alpha1.ResizeCold))
	r := p.live("resnet-1", 40*time.Minute, func() {})
	end := r.Ending()
	job := fixture.Get(t, p.Rooms, "resnet", &batchv1.Job{})
	if end.Type != v1alpha1.ConditionSucceeded || *job.Spec.Suspend {
		t.Errorf("the training is not resized, but stopped: %s %s", end.Type, end.Reason)
	}
}

// The same when it is to be stopped for others.
func TestAStopOfAJobOneOfWhosePodsHasFailedBefore(t *testing.T) {
	p := newJobOfKubernetes(t, resizeBy(4, 0, 1, v1alpha1.ResizeLive))
	r := p.live("resnet-1", 40*time.Minute, func() {})
	end := r.Ending()
	if end.Type != v1alpha1.ConditionSucceeded {
		t.Errorf("the stop counts as failed: %s %s", end.Type, end.Reason)
	}
}

// And live: those who left had one among them that was made in the place of a failed one.
func TestALiveShrinkOfAJobOneOfWhosePodsHasFailedBefore(t *testing.T) {
	p := newJobOfKubernetes(t, resizeBy(4, 2, 1, v1alpha1.ResizeLive))
	r := p.live("resnet-1", 40*time.Minute, func() {})
	end := r.Ending()
	if end.Type != v1alpha1.ConditionSucceeded {
		t.Errorf("the shrink counts as failed: %s %s", end.Type, end.Reason)
	}
}

// A job that was stopped is started again: the operator looks at it once, at once after it was asked, before its
// controller has made the new pods.
func TestAStartOfAJobOneOfWhosePodsHasFailedBefore(t *testing.T) {
	for _, early := range []bool{false, true} {
		t.Run(fmt.Sprint("early ", early), func(t *testing.T) {
			p := newJobOfKubernetes(t, resizeBy(0, 4, 2, v1alpha1.ResizeLive))
			job := fixture.Get(t, p.Rooms, "resnet", &batchv1.Job{})
			job.Spec.Suspend = new(true)
			if err := p.Client.Update(t.Context(), job); err != nil {
				t.Fatal(err)
			}
			p.controller()
			r := p.live("resnet-2", 40*time.Minute, func() {
				if early {
					if _, err := writing.Patiently(p.Resizer).Reconcile(t.Context(), fixture.Request("resnet-2")); err != nil {
						t.Fatal(err)
					}
				}
			})
			end := r.Ending()
			if end.Type != v1alpha1.ConditionSucceeded {
				t.Errorf("the job is not started: %s %s", end.Type, end.Reason)
			}
		})
	}
}

// withoutTheFailed deletes the pod that has failed.
func withoutTheFailed(p *jobOfKubernetes) *jobOfKubernetes {
	failed := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: "resnet-3-1"}}
	if err := p.Client.Delete(p.Context(), failed); err != nil {
		p.Fatal(err)
	}
	return p
}

// All workers save their state when they are told to go, and exit with 0.
func TestAColdResizeOfAJobWhoseWorkersExitWithZero(t *testing.T) {
	p := withoutTheFailed(newJobOfKubernetes(t, resizeBy(4, 2, 1, v1alpha1.ResizeCold)))
	p.zero = map[int]bool{0: true, 1: true, 2: true, 3: true}
	p.live("resnet-1", 90*time.Minute, func() {})
	s, err := p.View.Look(t.Context(), fixture.Get(t, p.Rooms, "resnet", &v1alpha1.ElasticJob{}))
	if err != nil {
		t.Fatal(err)
	}
	if !s.CutShort() {
		t.Error("a training that was stopped half way counts as one that has finished its work, and nobody is told")
	}
}

// Its pod that has failed holds no GPU, but counts as holding one once the job is smaller, or stopped.
func TestAFailedPodHoldsNoGPU(t *testing.T) {
	p := newJobOfKubernetes(t, resizeBy(4, 0, 1, v1alpha1.ResizeLive))
	p.live("resnet-1", 90*time.Minute, func() {})
	fixture.Plans(t, p.Rooms)
	if holds := p.Last.Load().Seen["team/resnet"].Holds; holds != 0 {
		t.Errorf("the plan takes %d GPUs for held that nobody has", holds)
	}
}
