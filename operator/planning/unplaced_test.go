package planning_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/view"
)

// A job that was submitted running may wait for a volume, or its pods may be refused. It keeps no GPUs from a job that
// could use them; and where the operator is another one meanwhile, it takes none back from that. As long as nobody says
// anything, its controller or its scheduler may just be slow: then it keeps them for as long as a start may take, and
// with a promise until somebody says it.
func TestAJobWhoseWorkersCannotBePlacedKeepsNoGPUs(t *testing.T) {
	const volume, soon, late = `persistentvolumeclaim "data" not found`, 5, 14
	for name, test := range map[string]struct {
		pods     int
		says     string        // of its scheduler
		refused  time.Duration // when its controller has said last that it can make no pod; zero if it has not
		promised bool
		minutes  int
		want     bool // whether another starts
	}{
		"its volume is missing":                    {pods: 8, says: volume, minutes: soon, want: true},
		"its volume is missing, though promised":   {pods: 8, says: volume, promised: true, minutes: soon, want: true},
		"its pods are refused":                     {refused: 2 * time.Minute, minutes: soon, want: true},
		"its pods are refused, though promised":    {refused: 2 * time.Minute, promised: true, minutes: soon, want: true},
		"some of its pods are refused":             {pods: 3, refused: 2 * time.Minute, minutes: soon, want: true},
		"its pods were refused before":             {refused: -time.Hour, minutes: soon},
		"nobody creates its pods":                  {minutes: soon},
		"nobody creates its pods for long":         {minutes: late, want: true},
		"nobody creates its pods, and a promise":   {promised: true, minutes: late},
		"nobody has tried its pods":                {pods: 8, minutes: soon},
		"nobody has tried its pods for long":       {pods: 8, minutes: late, want: true},
		"nobody has tried its pods, and a promise": {pods: 8, promised: true, minutes: late},
		"it waits for GPUs, by itself": {
			pods: 8, says: "0/1 nodes are available: 1 Insufficient nvidia.com/gpu.", minutes: soon,
		},
	} {
		t.Run(name, func(t *testing.T) {
			job := fixture.PyTorchJob("stuck", 8)
			ej := fixture.ElasticJob("stuck", fixture.BestEffort)
			if test.promised {
				promise(ej, fixture.Start.Add(6*time.Hour))
			}
			objects := []client.Object{
				fixture.Node("node", "8"), job, ej,
				fixture.PyTorchJob("good", 2, fixture.SuspendedAtFirst), fixture.ElasticJob("good", fixture.BestEffort),
			}
			for i := range test.pods {
				objects = append(objects, pendingWorker(job, i, test.says))
			}
			if test.refused != 0 {
				objects = append(objects, refusal(job, fixture.Start.Add(test.refused)))
			}
			now := fixture.Start
			o := fixture.Stopped(t, interceptor.Funcs{}, objects...)
			minute := func() {
				now = now.Add(time.Minute)
				o.Now = func() time.Time { return now }
				o.Planner.Now, o.View.Now, o.Reporter.Now = o.Now, o.Now, o.Now
				fixture.Plans(t, o)
				for _, name := range []string{"stuck", "good"} {
					if _, err := o.Reporter.Reconcile(t.Context(), fixture.Request(name)); err != nil {
						t.Fatal(err)
					}
				}
			}
			for range test.minutes {
				minute()
			}
			var all v1alpha1.ResizeList
			if err := o.Client.List(t.Context(), &all); err != nil {
				t.Fatal(err)
			}
			if started := len(all.Items) == 1 && all.Items[0].Spec.ElasticJob == "good"; started != test.want {
				t.Errorf("the other starts: %t; %+v", started, all.Items)
			}
			message := fixture.Get(t, o, "stuck", &v1alpha1.ElasticJob{}).Status.Message
			if told := strings.Contains(message, "Others have its GPUs"); told != test.want {
				t.Errorf("it is told %q", message)
			}
			if told := strings.Contains(message, "exceeded quota"); told != (test.refused > 0) {
				t.Errorf("its controller has been heard: %t; it is told %q", told, message)
			}
		})
	}
}

// promise has a job be promised a deadline.
func promise(ej *v1alpha1.ElasticJob, deadline time.Time) {
	ej.Spec.Guarantee, ej.Spec.Deadline = v1alpha1.GuaranteePromise, v1alpha1.NewTime(deadline)
	ej.Status.Promised = ej.Spec.Deadline
	ej.Status.Conditions = []metav1.Condition{{
		Type: v1alpha1.ConditionAdmitted, Status: metav1.ConditionTrue, Reason: view.ReasonPromised,
		LastTransitionTime: metav1.NewTime(fixture.Start.Add(-time.Hour)),
	}}
}

// refusal is that the controller of a job has said for an hour, and at a moment last, that it can make no pod.
func refusal(job *kubeflow.PyTorchJob, last time.Time) *corev1.Event {
	return &corev1.Event{
		ObjectMeta:     metav1.ObjectMeta{Namespace: job.Namespace, Name: job.Name + ".1"},
		InvolvedObject: corev1.ObjectReference{Kind: "PyTorchJob", Namespace: job.Namespace, Name: job.Name, UID: job.UID},
		Type:           corev1.EventTypeWarning, Reason: "FailedCreatePod",
		Message:        `Error creating: pods "stuck-worker-0" is forbidden: exceeded quota: gpus`,
		FirstTimestamp: metav1.NewTime(last.Add(-time.Hour)), LastTimestamp: metav1.NewTime(last),
	}
}

// pendingWorker is a worker of a job that has waited for an hour; its scheduler may have said nothing.
func pendingWorker(job *kubeflow.PyTorchJob, index int, says string) *corev1.Pod {
	pod := fixture.Worker0(job, "")
	pod.Name = fmt.Sprintf("%s-worker-%d", job.Name, index)
	pod.UID = types.UID(pod.Name)
	pod.Labels[kubeflow.ReplicaIndexLabel] = fmt.Sprint(index)
	pod.Status.Phase = corev1.PodPending
	if says == "" {
		return pod
	}
	pod.Status.Conditions = []corev1.PodCondition{{
		Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable,
		Message: says, LastTransitionTime: metav1.NewTime(fixture.Start.Add(-time.Hour)),
	}}
	return pod
}

// What a tenant writes stops the planner for nobody.
func TestNumbersWithoutEndStopNoPlan(t *testing.T) {
	for _, nodes := range []string{
		"9000000000000000000:9223372036854775807", "9223372036854775807:9223372036854775807", "1:3000000000", "1:4000000",
	} {
		job := fixture.KubernetesJob(batchv1.IndexedCompletion)
		job.Annotations, job.Spec.Suspend = nil, new(true)
		job.Spec.Template.Spec.Containers[0].Command = []string{"torchrun", "--nnodes=" + nodes, "--rdzv-backend=c10d"}
		o := fixture.Stopped(t, interceptor.Funcs{}, job, fixture.Node("node", "8"),
			fixture.ElasticJob("resnet", fixture.BestEffort,
				func(ej *v1alpha1.ElasticJob) {
					ej.Spec.JobRef = v1alpha1.JobReference{APIVersion: "batch/v1", Kind: "Job", Name: "resnet"}
				}))
		if _, err := o.Planner.Plan(t.Context()); err != nil {
			t.Errorf("%s: %v", nodes, err)
		}
	}
	for _, amount := range []string{"6000000000000000000", "9223372036854775807"} {
		objects := []client.Object{
			fixture.PyTorchJob("resnet", 2, fixture.SuspendedAtFirst), fixture.ElasticJob("resnet",
				fixture.BestEffort), fixture.Node("node", "8"),
		}
		for _, name := range []string{"a", "b"} {
			objects = append(objects, &corev1.Pod{
				ObjectMeta: metav1.ObjectMeta{Namespace: "hostile", Name: name},
				Spec: corev1.PodSpec{NodeName: "node", Containers: []corev1.Container{{
					Name: "huge", Resources: corev1.ResourceRequirements{
						Limits: corev1.ResourceList{"nvidia.com/gpu": resource.MustParse(amount)},
					},
				}}},
			})
		}
		o := fixture.Stopped(t, interceptor.Funcs{}, objects...)
		if _, err := o.Planner.Plan(t.Context()); err != nil {
			t.Errorf("%s GPUs: %v", amount, err)
		}
		if sc, err := o.Planner.Observe(t.Context()); err != nil || sc.Supply.Nodes[0].GPUs != 0 {
			t.Errorf("%s GPUs: %+v, %v", amount, sc.Supply.Nodes, err)
		}
	}
}
