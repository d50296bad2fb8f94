package operator

import (
	"strings"
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/kind/known"
	"github.com/takt-dev/takt/operator/learn"
	"github.com/takt-dev/takt/operator/reporting"
	"github.com/takt-dev/takt/operator/shorthand"
	"github.com/takt-dev/takt/operator/view"
)

func TestWhoHasSuspendedAJob(t *testing.T) {
	for name, test := range map[string]struct {
		job                 kind.Job
		admitted, suspended string // reasons of what the status says
		want                bool
	}{
		"it runs":                 {kind.Job{}, "Planned", "NotSuspended", false},
		"it was never seen":       {kind.Job{Suspended: true}, "", "", false},
		"it did not exist before": {kind.Job{Suspended: true}, "JobNotFound", "NoJob", false},
		"it was submitted so":     {kind.Job{Suspended: true}, "NotPlannedYet", "SuspendedByTakt", false},
		"Takt has": {
			kind.Job{Suspended: true, Asked: resize.Ask{Epoch: 1, Suspended: true}}, "Planned", "NotSuspended", false,
		},
		"after Takt has started it": {
			kind.Job{Suspended: true, Asked: resize.Ask{Epoch: 1}}, "Planned", "NotSuspended", true,
		},
		"before any worker ran": {kind.Job{Suspended: true}, "Planned", "NotSuspended", true},
		"some time ago":         {kind.Job{Suspended: true}, "Planned", "SuspendedByUser", true},
	} {
		t.Run(name, func(t *testing.T) {
			s := &view.Subject{Job: test.job, ElasticJob: fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) {
				for kind, reason := range map[string]string{v1alpha1.ConditionAdmitted: test.admitted,
					v1alpha1.ConditionSuspended: test.suspended} {
					if reason != "" {
						meta.SetStatusCondition(&ej.Status.Conditions, metav1.Condition{
							Type: kind, Status: metav1.ConditionFalse, Reason: reason,
						})
					}
				}
			})}
			if got := s.SuspendedByUser(); got != test.want {
				t.Errorf("suspended by its user: %t, want %t", got, test.want)
			}
		})
	}
}

// A job of the same name is another job: what was promised, and how far it was, is over.
func TestAnElasticJobDoesNotOutliveItsJob(t *testing.T) {
	for name, explicit := range map[string]bool{"that was written": true, "that was made of annotations": false} {
		t.Run(name, func(t *testing.T) {
			ej := fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) {
				if !explicit {
					ej.Labels = map[string]string{shorthand.MadeLabel: "true"}
				}
				ej.OwnerReferences = []metav1.OwnerReference{{Kind: "PyTorchJob", Name: "resnet", UID: "an earlier one"}}
				ej.Status.Progress.PartsPerMillion = 420_000
			})
			job := fixture.PyTorchJob("resnet", 1, fixture.SuspendedAtFirst, func(j *kubeflow.PyTorchJob) {
				j.Annotations = map[string]string{shorthand.DeadlineAnnotation: "6h"}
			})
			o := fixture.Stopped(t, interceptor.Funcs{}, ej, job, fixture.Node("node", "8"))
			if _, err := o.Planner.Plan(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := o.Client.Get(t.Context(), client.ObjectKey{Namespace: "team", Name: "resnet-1"},
				&v1alpha1.Resize{}); err == nil {
				t.Error("it goes on with the new job")
			}
			if _, err := o.Reporter.Reconcile(t.Context(), fixture.Request("resnet")); err != nil {
				t.Fatal(err)
			}
			if told := fixture.Get(t, o, "resnet", &v1alpha1.ElasticJob{}); len(told.OwnerReferences) != 1 ||
				reporting.ConditionOf(&told.Status).Reason != "JobReplaced" {
				t.Errorf("owned by %v, %v", told.OwnerReferences, reporting.ConditionOf(&told.Status))
			}
			of, _ := known.ByKind("PyTorchJob")
			for range 2 { // it is removed, and made anew
				if _, err := o.Keeper(of).Reconcile(t.Context(), fixture.Request("resnet")); err != nil {
					t.Fatal(err)
				}
			}
			after := fixture.Get(t, o, "resnet", &v1alpha1.ElasticJob{})
			if made := after.OwnerReferences[0].UID == job.UID && after.Status.Progress.PartsPerMillion == 0; made == explicit {
				t.Errorf("made anew: %t", made)
			}
		})
	}
}

// Records of an ElasticJob that is gone may stay, as after kubectl delete --cascade=orphan.
func TestNoEpochIsUsedTwice(t *testing.T) {
	ej := fixture.ElasticJob("resnet")
	orphan := fixture.ResizeOf(ej, 7, 1, 2, v1alpha1.ConditionSucceeded)
	orphan.OwnerReferences = nil
	o := fixture.Stopped(t, interceptor.Funcs{}, ej, fixture.PyTorchJob("resnet", 1), orphan,
		fixture.ResizeOf(ej, 3, 1, 2, v1alpha1.ConditionSucceeded))
	s, err := o.View.Look(t.Context(), ej)
	if err != nil || s.Epoch() != 8 {
		t.Errorf("the next epoch is %d, want 8: %v", s.Epoch(), err)
	}
}

// What was asked of a job goes when Takt lets go of it; its pods are still those of a resize.
func TestNoEpochIsThatOfPodsFromBefore(t *testing.T) {
	ej, job := fixture.ElasticJob("resnet"), fixture.PyTorchJob("resnet", 1)
	pod := fixture.Worker0(job, "node")
	pod.Labels[v1alpha1.EpochLabel] = "5"
	o := fixture.Stopped(t, interceptor.Funcs{}, ej, job, pod)
	s, err := o.View.Look(t.Context(), ej)
	if err != nil || s.Epoch() != 6 {
		t.Errorf("the next epoch is %d, want 6: %v", s.Epoch(), err)
	}
}

// Others give back GPUs once for a job of which nothing is known.
func TestAJobThatWasStoppedHasHadItsTrial(t *testing.T) {
	ej := fixture.ElasticJob("resnet")
	for name, test := range map[string]struct {
		past []*v1alpha1.Resize
		want bool
	}{
		"it has never run":         {nil, false},
		"it is about to":           {[]*v1alpha1.Resize{fixture.ResizeOf(ej, 1, 0, 1)}, false},
		"it runs":                  {[]*v1alpha1.Resize{fixture.ResizeOf(ej, 1, 0, 1, v1alpha1.ConditionSucceeded)}, false},
		"it could not start":       {[]*v1alpha1.Resize{fixture.ResizeOf(ej, 1, 0, 1, v1alpha1.ConditionRolledBack)}, true},
		"it was stopped":           {[]*v1alpha1.Resize{fixture.ResizeOf(ej, 2, 1, 0, v1alpha1.ConditionSucceeded)}, true},
		"it is being stopped":      {[]*v1alpha1.Resize{fixture.ResizeOf(ej, 2, 1, 0)}, false},
		"a growth was rolled back": {[]*v1alpha1.Resize{fixture.ResizeOf(ej, 2, 1, 2, v1alpha1.ConditionRolledBack)}, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := (&view.Subject{ElasticJob: ej, Past: test.past}).Tried(); got != test.want {
				t.Errorf("%t, want %t", got, test.want)
			}
		})
	}
}

func TestHowFarAPodHasCome(t *testing.T) {
	pod := func(change func(*corev1.Pod)) *corev1.Pod {
		p := fixture.Worker0(fixture.PyTorchJob("job", 1), "node")
		change(p)
		return p
	}
	agent := map[string]string{v1alpha1.AgentAnnotation: "true"}
	for name, test := range map[string]struct {
		pod   *corev1.Pod
		want  resize.PodState
		letIn bool
	}{
		"held": {
			pod(func(p *corev1.Pod) { p.Spec.NodeName, p.Status.Phase = "", "Pending" }), resize.PodHeld, false,
		},
		"starts":         {pod(func(p *corev1.Pod) { p.Status.Phase = "Pending" }), resize.PodPending, false},
		"runs":           {pod(func(*corev1.Pod) {}), resize.PodTraining, true},
		"at the barrier": {pod(func(p *corev1.Pod) { p.Annotations = agent }), resize.PodAtBarrier, false},
		"let in": {pod(func(p *corev1.Pod) {
			p.Annotations = map[string]string{v1alpha1.AgentAnnotation: "true", v1alpha1.LetInAnnotation: "3"}
		}), resize.PodTraining, true},
		"failed":         {pod(func(p *corev1.Pod) { p.Status.Phase = "Failed" }), resize.PodFailed, false},
		"on a lost node": {pod(func(p *corev1.Pod) { p.Spec.NodeName = "gone" }), resize.PodLost, false},
		"leaves": {
			pod(func(p *corev1.Pod) { p.DeletionTimestamp = new(metav1.NewTime(fixture.Start)) }), resize.PodTerminating, false,
		},
		"failed and lost": {
			pod(func(p *corev1.Pod) { p.Spec.NodeName, p.Status.Phase = "gone", "Failed" }), resize.PodFailed, false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := fixture.Stopped(t, interceptor.Funcs{}, fixture.Node("node", "8")).Resizer.PodSeen(t.Context(),
				view.Worker{Index: 2,
					Pod: test.pod}, "")
			if got.State != test.want || got.LetIn != test.letIn || got.Index != 2 {
				t.Errorf("%+v, want %s", got, test.want)
			}
		})
	}
}

// What trains in a pod begins anew with its container, whatever happens to those beside it.
func TestWhenATrainingHasBegun(t *testing.T) {
	runs := corev1.ContainerState{
		Running: &corev1.ContainerStateRunning{StartedAt: metav1.NewTime(fixture.Start.Add(-time.Minute))},
	}
	waits := corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff"}}
	for name, test := range map[string]struct {
		containers []corev1.ContainerStatus
		want       time.Time
	}{
		"nothing is told": {nil, time.Time{}},
		"it has never fallen": {[]corev1.ContainerStatus{{Name: "beside", State: waits, RestartCount: 3},
			{Name: "pytorch", State: runs}}, time.Time{}},
		"it runs again": {[]corev1.ContainerStatus{{Name: "beside", State: waits, RestartCount: 3},
			{Name: "pytorch", State: runs, RestartCount: 1}}, fixture.Start.Add(-time.Minute)},
		"it is to be started again": {[]corev1.ContainerStatus{{Name: "pytorch", State: waits, RestartCount: 3}},
			fixture.Start},
		"it is yet to begin": {[]corev1.ContainerStatus{{Name: "pytorch", State: waits}}, time.Time{}},
		"who falls stands beside it": {[]corev1.ContainerStatus{{Name: "pytorch", State: runs},
			{Name: "beside", State: waits, RestartCount: 3}}, time.Time{}},
	} {
		t.Run(name, func(t *testing.T) {
			pod := fixture.Worker0(fixture.PyTorchJob("job", 1), "node")
			pod.Spec.Containers = []corev1.Container{{Name: "pytorch"}, {Name: "beside"}}
			pod.Status.ContainerStatuses = test.containers
			o := fixture.Stopped(t, interceptor.Funcs{}, fixture.Node("node", "8"))
			if got := o.Resizer.PodSeen(t.Context(), view.Worker{Pod: pod}, "train").BeganAt; !got.Equal(test.want) {
				t.Errorf("%v, want %v", got, test.want)
			}
		})
	}
}

// Another ElasticJob that names the same job, and that is looked at first, does not make the run its own.
func TestTheRunIsThatOfTheOlderElasticJob(t *testing.T) {
	job := fixture.PyTorchJob("resnet", 1)
	older := fixture.ElasticJob("resnet")
	newer := fixture.ElasticJob("another", func(ej *v1alpha1.ElasticJob) {
		ej.Spec.JobRef.Name, ej.CreationTimestamp.Time = "resnet", fixture.Start
	})
	run := learn.NewRun(view.RunName(older, job.UID))
	run.Team("a", time.Time{}, fixture.Start)
	older.Status.Memory = run.Keep()
	o := fixture.Stopped(t, interceptor.Funcs{}, job, older, newer)
	for _, ej := range []*v1alpha1.ElasticJob{newer, older} {
		s, err := o.View.Look(t.Context(), ej)
		if err != nil {
			t.Fatal(err)
		}
		if kept := s.Known.Run.Keep(); !strings.Contains(kept, `"run":"`+view.RunName(older, job.UID)+`"`) {
			t.Errorf("looked at by ElasticJob %s it is %s", ej.Name, kept)
		}
	}
}
