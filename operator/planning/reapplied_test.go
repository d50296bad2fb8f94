package planning_test

import (
	"strings"
	"testing"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/rooms"
)

// suspends has somebody suspend resnet.
func suspends(t *testing.T, o *rooms.Rooms, manager string) {
	t.Helper()
	job := fixture.Get(t, o, "resnet", &kubeflow.PyTorchJob{})
	job.Spec.RunPolicy.Suspend = new(true)
	if err := o.Client.Update(t.Context(), job, client.FieldOwner(manager)); err != nil {
		t.Fatal(err)
	}
}

// startedByTakt is an operator with a job that Takt has started.
func startedByTakt(t *testing.T, change ...func(*kubeflow.PyTorchJob)) (*rooms.Rooms, <-chan string) {
	t.Helper()
	job := fixture.AnnotatedJob(nil)
	for _, change := range change {
		change(job)
	}
	o := fixture.Stopped(t, interceptor.Funcs{}, job, fixture.ElasticJob("resnet"), fixture.Node("node", "8"))
	told := fixture.Listens(o)
	starts(t, o, 3)
	return o, told
}

// starts has Takt have started resnet, whatever was under way.
func starts(t *testing.T, o *rooms.Rooms, epoch resize.Epoch) {
	t.Helper()
	if err := o.Client.DeleteAllOf(t.Context(), &v1alpha1.Resize{}, client.InNamespace("team")); err != nil {
		t.Fatal(err)
	}
	fixture.ResizedTo(t, o, resize.Ask{Epoch: epoch, Stage: resize.Forward, Workers: 1, At: fixture.Start}, kind.Target{})
}

// Whoever changes the deadline in a manifest and applies it says once more that the job is suspended, with which it was
// submitted for Takt to start it. That stops the training, and nobody means it.
func TestAJobThatItsManifestHasStoppedStartsAgain(t *testing.T) {
	const applies = "kubectl-client-side-apply"
	held := func(j *kubeflow.PyTorchJob) { j.Annotations = map[string]string{kind.HeldAnnotation: "until-admitted"} }
	type submitted []func(*kubeflow.PyTorchJob)
	for name, test := range map[string]struct {
		submitted submitted
		manager   string
		again     bool
	}{
		"as it was submitted":             {submitted{fixture.SuspendedAtFirst}, applies, true},
		"by somebody":                     {submitted{fixture.SuspendedAtFirst}, "kubectl-patch", false},
		"its manifest says it only now":   {nil, applies, false},
		"it was held, and is stopped now": {submitted{fixture.SuspendedAtFirst, held}, applies, false},
	} {
		t.Run(name, func(t *testing.T) {
			o, told := startedByTakt(t, test.submitted...)
			suspends(t, o, test.manager)
			for range 3 {
				fixture.Plans(t, o)
			}
			of, _ := o.Kinds.Get("PyTorchJob")
			if is := of.Read(fixture.Get(t, o, "resnet", &kubeflow.PyTorchJob{})); is.StoppedByTakt() != test.again {
				t.Errorf("Takt takes it upon itself: %t, want %t", is.StoppedByTakt(), test.again)
			}
			var all v1alpha1.ResizeList
			if err := o.Client.List(t.Context(), &all); err != nil {
				t.Fatal(err)
			}
			if started := len(all.Items) == 1 && all.Items[0].Spec.From == 0 && all.Items[0].Spec.To > 0; started != test.again {
				t.Errorf("it is started again: %+v, want %t", all.Items, test.again)
			}
			if test.again != (len(told) > 0) {
				t.Fatalf("%d events", len(told))
			}
			if test.again {
				const want = "SuspendedByManifest A manifest was applied that suspends it, as it did when the job was submitted"
				if says := <-told; !strings.Contains(says, want) {
					t.Errorf("it is told %q", says)
				}
			}
		})
	}
}

// What keeps a cluster as it is in Git would stop the training each time.
func TestAJobThatItsManifestStopsEachTimeStaysSuspended(t *testing.T) {
	o, told := startedByTakt(t, fixture.SuspendedAtFirst)
	for epoch := resize.Epoch(4); epoch <= 6; epoch++ {
		suspends(t, o, "kubectl-client-side-apply")
		fixture.Plans(t, o)
		of, _ := o.Kinds.Get("PyTorchJob")
		again := of.Read(fixture.Get(t, o, "resnet", &kubeflow.PyTorchJob{})).StoppedByTakt()
		if again != (epoch < 6) {
			t.Fatalf("the time before epoch %d Takt starts it again: %t", epoch, again)
		}
		if again {
			starts(t, o, epoch)
		}
	}
	// Nobody who comes later, and counts anew, starts it again.
	o = fixture.Afresh(o)
	o.Planner.Warm.Store(true)
	for range 2 {
		fixture.Plans(t, o)
	}
	of, _ := o.Kinds.Get("PyTorchJob")
	if of.Read(fixture.Get(t, o, "resnet", &kubeflow.PyTorchJob{})).StoppedByTakt() {
		t.Error("a process that is new starts it again")
	}
	if len(told) != 2 {
		t.Fatalf("%d events", len(told))
	}
	<-told
	if says := <-told; !strings.Contains(says, "Its manifest suspends it each time that Takt has started it") {
		t.Errorf("it is told %q", says)
	}
}
