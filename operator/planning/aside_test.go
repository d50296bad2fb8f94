package planning_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/memory"
)

// A snapshot shows whoever cannot run, whatever is decided, so that it can be told from it who is set aside.
func TestASnapshotShowsWhoCannotRun(t *testing.T) {
	job := fixture.PyTorchJob("resnet", 1, fixture.SuspendedAtFirst)
	for name, test := range map[string]struct {
		ej          *v1alpha1.ElasticJob
		gpus, quota string
		want        elastic.Idle
		part        bool // in the plan
	}{
		"it can":            {fixture.ElasticJob("resnet"), "8", "8", elastic.Idle{}, true},
		"no node has a GPU": {fixture.ElasticJob("resnet"), "0", "8", elastic.Idle{NoNode: true}, false},
		"it starts after no job": {fixture.ElasticJob("resnet", startsAfter("nobody")), "8", "8",
			elastic.Idle{Blocked: "PredecessorMissing"}, false},
		"its quota leaves it too little": {fixture.ElasticJob("resnet", atLeast(3)), "8", "2",
			elastic.Idle{Quota: &elastic.Allowance{Most: 2, Least: 3}}, false},
		"its quota leaves it enough": {fixture.ElasticJob("resnet", atLeast(3)), "8", "3",
			elastic.Idle{Quota: &elastic.Allowance{Most: 3, Least: 3}}, true},
	} {
		t.Run(name, func(t *testing.T) {
			o := fixture.Stopped(t, interceptor.Funcs{}, job.DeepCopy(), test.ej, fixture.Node("node", test.gpus),
				gpuQuota(test.quota))
			fixture.Plans(t, o)
			last, want := o.Last.Load(), []elastic.Idle(nil)
			if test.want != (elastic.Idle{}) {
				test.want.Name = "team/resnet"
				want = []elastic.Idle{test.want}
			}
			if diff := cmp.Diff(want, last.Idle); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if part := len(last.Jobs) == 1; part != test.part {
				t.Errorf("it takes part: %t", part)
			}
			s, err := o.View.Look(t.Context(), fixture.Get(t, o, "resnet", &v1alpha1.ElasticJob{}))
			if err != nil {
				t.Fatal(err)
			}
			if h := s.Known.HinderedBy(); !test.part && (h.Reason == "" || h.Message == "") {
				t.Errorf("it is hindered by %+v", h)
			}
		})
	}
}

// A job that runs goes on, though its owner wants more workers than its quota allows.
func TestAJobThatRunsIsNotSetAsideForItsQuota(t *testing.T) {
	job, quota := fixture.PyTorchJob("resnet", 2), gpuQuota("2")
	quota.Status.Used = quota.Status.Hard
	o := fixture.Stopped(t, interceptor.Funcs{}, append(fixture.CrewOn(job, "node", "node"), job,
		fixture.ElasticJob("resnet", atLeast(3)), fixture.Node("node", "8"), quota)...)
	fixture.Plans(t, o)
	if last := o.Last.Load(); len(last.Jobs) != 1 || len(last.Idle) > 0 {
		t.Errorf("%d jobs are planned for, and %+v are idle", len(last.Jobs), last.Idle)
	}
}

// What is seen of a job stands in a snapshot once, whenever it is found.
func TestASnapshotShowsOnceWhatKeepsAJobFromRunning(t *testing.T) {
	o := fixture.Stopped(t, interceptor.Funcs{}, fixture.PyTorchJob("resnet", 1, fixture.SuspendedAtFirst),
		fixture.ElasticJob("resnet"), fixture.Node("node", "8"), gpuQuota("2"))
	s, err := o.View.Look(t.Context(), fixture.Get(t, o, "resnet", &v1alpha1.ElasticJob{}))
	if err != nil {
		t.Fatal(err)
	}
	s.Known.CouldNotRun("its image is missing", fixture.Start.Add(-time.Hour))
	fixture.Plans(t, o)
	if idle := o.Last.Load().Idle; len(idle) != 1 || idle[0].CouldNotRunAt == nil || idle[0].Quota == nil {
		t.Errorf("it shows %+v", idle)
	}
}

// What a job waited for in vain hinders it no more once somebody has put that right.
func TestAJobIsNotHinderedByWhatHasChanged(t *testing.T) {
	ej := fixture.ElasticJob("resnet", startsAfter("first"))
	o := fixture.Stopped(t, interceptor.Funcs{}, ej, fixture.PyTorchJob("resnet", 1, fixture.SuspendedAtFirst),
		fixture.Node("node", "8"))
	hindered := func() memory.Hindrance {
		t.Helper()
		fixture.Plans(t, o)
		s, err := o.View.Look(t.Context(), fixture.Get(t, o, "resnet", &v1alpha1.ElasticJob{}))
		if err != nil {
			t.Fatal(err)
		}
		return s.Known.HinderedBy()
	}
	if h := hindered(); h.Reason != "PredecessorMissing" || h.Message == "" {
		t.Errorf("it is hindered by %+v", h)
	}
	for _, object := range []client.Object{fixture.PyTorchJob("first", 1), fixture.ElasticJob("first")} {
		if err := o.Client.Create(t.Context(), object); err != nil {
			t.Fatal(err)
		}
	}
	if h := hindered(); h != (memory.Hindrance{}) {
		t.Errorf("afterwards it is hindered by %+v", h)
	}
}

// Others have the room that a job has left, and it is set aside all the same until one of its workers has a node.
func TestAJobThatHasLeftItsRoomStaysAside(t *testing.T) {
	now, job, node := fixture.Start, fixture.PyTorchJob("resnet", 1), fixture.Node("node", "8")
	o := fixture.Stopped(t, interceptor.Funcs{}, node, job, fixture.ElasticJob("resnet"),
		pendingWorker(job, 0, `persistentvolumeclaim "data" not found`))
	o.Planner.Now = func() time.Time { return now }
	for range 3 {
		fixture.Plans(t, o)
		now = now.Add(time.Minute)
	}
	if err := o.Client.Delete(t.Context(), node); err != nil {
		t.Fatal(err)
	}
	fixture.Plans(t, o)
	if idle := o.Last.Load().Idle; len(idle) != 1 || !idle[0].LeftRoom {
		t.Errorf("without its node there is %+v", idle)
	}
}

func startsAfter(name string) func(*v1alpha1.ElasticJob) {
	return func(ej *v1alpha1.ElasticJob) { ej.Spec.After = []v1alpha1.Predecessor{{Name: name}} }
}

func atLeast(workers int32) func(*v1alpha1.ElasticJob) {
	return func(ej *v1alpha1.ElasticJob) { ej.Spec.Workers.Min = &workers }
}

func gpuQuota(gpus string) *corev1.ResourceQuota {
	hard := corev1.ResourceList{"requests.nvidia.com/gpu": resource.MustParse(gpus)}
	return &corev1.ResourceQuota{
		ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: "gpus"},
		Spec:       corev1.ResourceQuotaSpec{Hard: hard}, Status: corev1.ResourceQuotaStatus{Hard: hard},
	}
}
