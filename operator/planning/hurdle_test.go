package planning_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/kind"
)

// unable is a worker that cannot run, for as long as its image is not there.
func unable(pod *corev1.Pod) {
	c := corev1.ContainerStatus{Name: "pytorch"}
	c.State.Waiting = &corev1.ContainerStateWaiting{Reason: "ImagePullBackOff", Message: "Back-off pulling image"}
	pod.Status.Phase, pod.Status.ContainerStatuses = corev1.PodPending, []corev1.ContainerStatus{c}
}

// unmounted is a worker for which its node has no volumes, for so long.
func unmounted(pod *corev1.Pod, since time.Time) {
	c := corev1.ContainerStatus{Name: "pytorch"}
	c.State.Waiting = &corev1.ContainerStateWaiting{Reason: "ContainerCreating"}
	pod.Status.Phase, pod.Status.ContainerStatuses = corev1.PodPending, []corev1.ContainerStatus{c}
	pod.Status.Conditions = []corev1.PodCondition{{
		Type: corev1.PodReadyToStartContainers, Status: corev1.ConditionFalse, LastTransitionTime: metav1.NewTime(since),
	}}
}

// A Secret that the pods mount is not there: no container says so, and the job would keep its GPUs for ever.
func TestAJobWhosePodsCannotBeMountedGivesItsGPUsToOthers(t *testing.T) {
	for since, want := range map[time.Duration]bool{13 * time.Minute: true, 5 * time.Minute: false} {
		t.Run(since.String(), func(t *testing.T) {
			job := fixture.PyTorchJob("resnet", 4)
			objects := []client.Object{fixture.Node("node", "4"), job, fixture.ElasticJob("resnet", fixture.BestEffort),
				fixture.PyTorchJob("bert", 4, fixture.SuspendedAtFirst), fixture.ElasticJob("bert", fixture.BestEffort)}
			for _, pod := range fixture.WorkersOf(job, 4, "node") {
				pod.CreationTimestamp = metav1.NewTime(fixture.Start.Add(-13 * time.Minute))
				unmounted(pod, fixture.Start.Add(-since))
				objects = append(objects, pod)
			}
			o := fixture.Stopped(t, interceptor.Funcs{}, objects...)
			fixture.Plans(t, o)
			if stops := slices.Contains(fixture.ResizesOf(t, o), "resnet 4-0"); stops != want {
				t.Errorf("it is stopped: %t", stops)
			}
		})
	}
}

// A further worker of a job of which one cannot run could not run either.
func TestAJobOfWhichAWorkerCannotRunIsNotGrown(t *testing.T) {
	for name, c := range map[string]struct {
		unable bool
	}{"both run": {false}, "one cannot": {true}} {
		t.Run(name, func(t *testing.T) {
			job := fixture.PyTorchJob("resnet", 2)
			objects := []client.Object{job, fixture.ElasticJob("resnet"), fixture.Node("node", "8")}
			for i, pod := range fixture.WorkersOf(job, 2, "node") {
				if c.unable && i == 1 {
					unable(pod)
				}
				objects = append(objects, pod)
			}
			o := fixture.Stopped(t, interceptor.Funcs{}, objects...)
			fixture.Plans(t, o)
			if u := o.Last.Load().Jobs[0].Ungrown; (u != nil && u.Stuck) != c.unable {
				t.Errorf("it may not be grown: %+v", u)
			}
		})
	}
}

// None of its workers can run, and so nothing is lost with them. Others have its GPUs, once it had as long as any start
// has, if they can do something with them.
func TestAJobThatHoldsGPUsInVainGivesThemToOthers(t *testing.T) {
	for name, c := range map[string]struct {
		after time.Duration
		runs  bool // one of its workers does
		waits bool // another job does
		never bool // it is not to be stopped, as its owner says
		want  bool
	}{
		"others wait":              {13 * time.Minute, false, true, false, true},
		"it has begun just now":    {11*time.Minute + 55*time.Second, false, true, false, false},
		"one of its workers runs":  {13 * time.Minute, true, true, false, false},
		"nobody else waits":        {13 * time.Minute, false, false, false, false},
		"its workers train beside": {13 * time.Minute, false, true, false, false},
		"it is not to be stopped":  {13 * time.Minute, false, true, true, false},
		"its workers crashed once": {13 * time.Minute, false, true, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			job := fixture.PyTorchJob("resnet", 4)
			objects := []client.Object{fixture.Node("node", "4"), job, fixture.ElasticJob("resnet", fixture.BestEffort,
				func(ej *v1alpha1.ElasticJob) {
					if c.never {
						ej.Spec.Interruptible = new(false)
					}
				})}
			for i, pod := range fixture.WorkersOf(job, 4, "node") {
				pod.CreationTimestamp = metav1.NewTime(fixture.Start.Add(-c.after))
				if !c.runs || i > 0 {
					unable(pod)
				}
				if name == "its workers crashed once" {
					crashed := &pod.Status.ContainerStatuses[0]
					crashed.State.Waiting.Reason, crashed.RestartCount = "CrashLoopBackOff", 1
				}
				if name == "its workers train beside" {
					trains := corev1.ContainerStatus{Name: "pytorch"}
					trains.State.Running = &corev1.ContainerStateRunning{}
					pod.Status.ContainerStatuses[0].Name = "metrics"
					pod.Status.ContainerStatuses = append(pod.Status.ContainerStatuses, trains)
				}
				objects = append(objects, pod)
			}
			if c.waits {
				objects = append(objects, fixture.PyTorchJob("bert", 4, fixture.SuspendedAtFirst),
					fixture.ElasticJob("bert", fixture.BestEffort))
			}
			o := fixture.Stopped(t, interceptor.Funcs{}, objects...)
			again, err := o.Planner.Plan(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if c.after < 12*time.Minute && again > 12*time.Minute-c.after {
				t.Errorf("the next plan is made after %s", again)
			}
			if stops := slices.Contains(fixture.ResizesOf(t, o), "resnet 4-0"); stops != c.want {
				t.Fatalf("it is stopped: %t", stops)
			}
			if !c.want {
				return
			}
			fixture.ResizedTo(t, o, resize.Ask{Epoch: 1, Stage: resize.Halt, Workers: 4, Suspended: true, At: fixture.Start},
				kind.Target{})
			if err := errors.Join(
				o.Client.DeleteAllOf(t.Context(), &corev1.Pod{}, client.InNamespace("team")),
				o.Client.DeleteAllOf(t.Context(), &v1alpha1.Resize{}, client.InNamespace("team"))); err != nil {
				t.Fatal(err)
			}
			fixture.Plans(t, o)
			if all := fixture.ResizesOf(t, o); !slices.Equal(all, []string{"bert 0-4"}) {
				t.Errorf("then these begin: %v", all)
			}
			status := fixture.StatusAsWritten(t.Context(), t, o, fixture.Get(t, o, "resnet", &v1alpha1.ElasticJob{}), nil)
			const want = "It was stopped at 12:00 UTC, as workers of it could not run (ImagePullBackOff: Back-off pulling " +
				"image), and others needed its GPUs. It may start again from 12:36 UTC on."
			if !strings.Contains(status.Message, want) {
				t.Errorf("it says %q", status.Message)
			}
		})
	}
}
