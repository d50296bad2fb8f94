package planning_test

import (
	"testing"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/reporting"
)

// What one user writes must never keep the jobs of others from being planned.
func TestAJobThatMakesNoSenseIsLeftOutOfThePlan(t *testing.T) {
	for name, odd := range map[string]struct {
		ej  *v1alpha1.ElasticJob
		job *kubeflow.PyTorchJob
	}{
		"millions of workers at least": {
			fixture.ElasticJob("odd", func(ej *v1alpha1.ElasticJob) {
				ej.Spec.Workers = v1alpha1.WorkerRange{Min: new(int32(5_000_000)), Max: new(int32(5_000_000))}
			}),
			fixture.PyTorchJob("odd", 1, func(j *kubeflow.PyTorchJob) { j.Spec.ElasticPolicy = nil }),
		},
		"millions of replicas": {fixture.ElasticJob("odd"),
			fixture.PyTorchJob("odd", 2_000_000_000, func(j *kubeflow.PyTorchJob) {
				j.Spec.ElasticPolicy.MaxReplicas = new(int32(2_000_000_000))
			})},
	} {
		t.Run(name, func(t *testing.T) {
			good := fixture.PyTorchJob("good", 1, fixture.SuspendedAtFirst)
			o := fixture.Stopped(t, interceptor.Funcs{}, fixture.Node("node", "8"), odd.ej, odd.job,
				fixture.Worker0(fixture.PyTorchJob("odd", 1), "node"),
				fixture.ElasticJob("good"), good)
			if _, err := o.Planner.Plan(t.Context()); err != nil {
				t.Fatalf("nobody is planned for: %v", err)
			}
			if r := fixture.Get(t, o, "good-1", &v1alpha1.Resize{}); r.Spec.To < 1 {
				t.Errorf("the other job is not started: %+v", r.Spec)
			}
			if free := o.Last.Load().Nodes[0].GPUs; free != 7 {
				t.Errorf("%d GPUs are shared out: the worker of the job that is left out holds one of 8", free)
			}
			if waits := o.Memory.Of("job-odd", fixture.Start,
				fixture.Unseen).HinderedBy(); waits.Reason != memory.ReasonNonsense {
				t.Errorf("the job is left out, and the reason is %q", waits)
			}
		})
	}
}

// Not all that a job is refused for makes an event of its own.
func TestWhatIsNewlyRefusedOrNoLongerIsTold(t *testing.T) {
	scaler := &autoscalingv2.HorizontalPodAutoscaler{
		ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: "hpa"},
		Spec: autoscalingv2.HorizontalPodAutoscalerSpec{
			ScaleTargetRef: autoscalingv2.CrossVersionObjectReference{Kind: "PyTorchJob", Name: "resnet"},
		},
	}
	o := fixture.Stopped(t, interceptor.Funcs{}, fixture.Node("node", "8"), fixture.ElasticJob("resnet"),
		fixture.PyTorchJob("resnet", 1, fixture.SuspendedAtFirst))
	told := &fixture.Counting{Seen: map[reconcile.Request]int{}}
	_ = o.Asks.Reporter.Open(t.Context(), told)
	admission := func() string {
		t.Helper()
		clear(told.Seen)
		if _, err := o.Planner.Plan(t.Context()); err != nil {
			t.Fatal(err)
		}
		if told.Seen[fixture.Request("resnet")] == 0 {
			return "not told"
		}
		if _, err := o.Reporter.Reconcile(t.Context(), fixture.Request("resnet")); err != nil {
			t.Fatal(err)
		}
		return reporting.ConditionOf(&fixture.Get(t, o, "resnet", &v1alpha1.ElasticJob{}).Status).Reason
	}
	for _, step := range []struct {
		name string
		do   func() error
		want string
	}{
		{"at first", func() error { return nil }, "Planned"},
		{"as before", func() error { return nil }, "not told"},
		{"with an autoscaler", func() error { return o.Client.Create(t.Context(), scaler) }, "HasAutoscaler"},
		{"with it still", func() error { return nil }, "not told"},
		{"without it again", func() error { return o.Client.Delete(t.Context(), scaler) }, "Planned"},
	} {
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		if got := admission(); got != step.want {
			t.Errorf("%s: %s, want %s", step.name, got, step.want)
		}
	}
}

// Of ten resizes that are decided together none waits for another.
func TestTenResizesAreBegunAtATime(t *testing.T) {
	if many := fixture.Stopped(t, interceptor.Funcs{}).ResizesAtOnce(); many < 10 {
		t.Errorf("%d are begun at a time", many)
	}
}

// Many a training of one pod is written as a master without workers. It starts and stops as any other job, and has no
// other size.
func TestAMasterAloneIsStarted(t *testing.T) {
	for most, refused := range map[int32]bool{0: false, 1: false, 4: true} {
		job := fixture.PyTorchJob("resnet", 1, func(j *kubeflow.PyTorchJob) {
			j.Spec.ElasticPolicy, j.Spec.RunPolicy.Suspend = nil, new(true)
			all := j.Spec.PyTorchReplicaSpecs
			all[kubeflow.PyTorchJobReplicaTypeMaster] = all[kubeflow.PyTorchJobReplicaTypeWorker]
			delete(all, kubeflow.PyTorchJobReplicaTypeWorker)
		})
		ej := fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) {
			ej.Spec.Guarantee = v1alpha1.GuaranteeBestEffort
			if most > 0 {
				ej.Spec.Workers = v1alpha1.WorkerRange{Min: new(int32(1)), Max: &most}
			}
		})
		o := fixture.Stopped(t, interceptor.Funcs{}, job, ej, fixture.Node("node", "8"))
		fixture.Plans(t, o)
		var resizes v1alpha1.ResizeList
		if err := o.Client.List(t.Context(), &resizes); err != nil {
			t.Fatal(err)
		}
		if started := len(resizes.Items) == 1 && resizes.Items[0].Spec.To == 1; started == refused {
			t.Errorf("up to %d workers: it is changed by %+v", most, resizes.Items)
		}
	}
}

// What is not to be interrupted is planned as such.
func TestAJobThatIsNotToBeInterrupted(t *testing.T) {
	job := fixture.PyTorchJob("resnet", 4)
	ej := fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) { ej.Spec.Interruptible = new(false) })
	o := fixture.Stopped(t, interceptor.Funcs{}, ej, job, fixture.Node("n", "8"))
	sc, err := o.Planner.Observe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(sc.Snapshot.Jobs) != 1 || !sc.Snapshot.Jobs[0].Uninterruptible {
		t.Fatalf("it is planned for as %+v", sc.Snapshot.Jobs)
	}
}
