package planning_test

import (
	"strings"
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/rooms"
	"github.com/takt-dev/takt/operator/shorthand"
)

// keepsSize fails the test unless resnet has a size after some plans, and says whether it is held at that.
func keepsSize(t *testing.T, o *rooms.Rooms, workers int32, held bool) {
	t.Helper()
	for range 3 {
		fixture.Plans(t, o)
	}
	job := fixture.Get(t, o, "resnet", &kubeflow.PyTorchJob{})
	if n := *job.Spec.PyTorchReplicaSpecs["Worker"].Replicas; n != workers {
		t.Errorf("%d workers, want %d", n, workers)
	}
	if value := job.Annotations[shorthand.HoldAnnotation]; (value != "") != held {
		t.Errorf("%s is %q, want held: %t", shorthand.HoldAnnotation, value, held)
	}
	var all v1alpha1.ResizeList
	if err := o.Client.List(t.Context(), &all); err != nil {
		t.Fatal(err)
	}
	if held && len(all.Items) > 0 {
		t.Errorf("it is resized: %+v", all.Items[0].Spec)
	}
}

// resizedByTakt is an operator with a job of which Takt has made four workers, on a node with room for eight.
func resizedByTakt(t *testing.T, ask resize.Ask) *rooms.Rooms {
	t.Helper()
	job := fixture.AnnotatedJob(nil)
	o := fixture.Stopped(t, interceptor.Funcs{}, job, fixture.Worker0(job, "node"), fixture.ElasticJob("resnet"),
		fixture.Node("node", "8"))
	fixture.ResizedTo(t, o, ask, kind.Target{})
	return o
}

func TestAJobThatIsScaledByHandKeepsItsSize(t *testing.T) {
	four := resize.Ask{Epoch: 3, Stage: resize.Forward, Workers: 4, At: fixture.Start}
	o := resizedByTakt(t, four)
	events := fixture.Listens(o)
	fixture.Scale(t, o, "kubectl-scale", 2)
	keepsSize(t, o, 2, true)
	told := ""
	if len(events) > 0 {
		told = <-events
	}
	if !strings.Contains(told, "Somebody has set its size to 2, which stays. kubectl -n team annotate pytorchjob "+
		"resnet takt.dev/hold- lets Takt resize it again.") {
		t.Errorf("told: %q", told)
	}
	if _, err := o.Reporter.Reconcile(t.Context(), fixture.Request("resnet")); err != nil {
		t.Fatal(err)
	}
	if status := fixture.Get(t, o, "resnet", &v1alpha1.ElasticJob{}).Status; !strings.Contains(status.Message,
		"Its size stays at 2") || !strings.Contains(status.Message,
		"kubectl -n team annotate pytorchjob resnet takt.dev/hold-") || status.Workers.Desired != 2 {
		t.Errorf("the status says %q, and %+v", status.Message, status.Workers)
	}
	fixture.Scale(t, o, "kubectl-edit", 3)
	keepsSize(t, o, 3, true)
	// What others need changes nothing either.
	ej := fixture.Get(t, o, "resnet", &v1alpha1.ElasticJob{})
	ej.Spec.Workers = v1alpha1.WorkerRange{Min: new(int32(1)), Max: new(int32(2))}
	if err := o.Client.Update(t.Context(), ej); err != nil {
		t.Fatal(err)
	}
	keepsSize(t, o, 3, true)
	fixture.Annotate(t, o, "kubectl-annotate", fixture.Start, map[string]string{shorthand.HoldAnnotation: ""})
	keepsSize(t, o, 3, false)
	sc, err := o.Planner.Observe(t.Context())
	if err != nil || len(sc.Subjects) != 1 || len(sc.Held) != 0 {
		t.Errorf("it is not planned for again: %+v (%v)", sc, err)
	}
}

func TestWhoHasGivenAJobItsSize(t *testing.T) {
	four := resize.Ask{Epoch: 3, Stage: resize.Forward, Workers: 4, At: fixture.Start}
	stop := resize.Ask{Epoch: 3, Stage: resize.Forward, Workers: 4, Suspended: true, At: fixture.Start}
	for name, c := range map[string]struct {
		ask     resize.Ask
		manager string
		to      int32
		workers int32
		held    bool
	}{
		"a manifest that is applied anew":   {four, "kubectl-client-side-apply", 2, 2, false},
		"somebody, and Takt had stopped it": {stop, "kubectl-patch", 0, 4, true},
		"somebody":                          {four, "kubectl-patch", 2, 2, true},
	} {
		t.Run(name, func(t *testing.T) {
			o := resizedByTakt(t, c.ask)
			fixture.Scale(t, o, c.manager, c.to)
			keepsSize(t, o, c.workers, c.held)
			of, _ := o.Kinds.Get("PyTorchJob")
			if asked := of.Read(fixture.Get(t, o, "resnet",
				&kubeflow.PyTorchJob{})).Asked; asked.Workers != resize.Workers(c.workers) ||
				asked.Suspended || asked.Epoch != 3 {
				t.Errorf("what Takt takes for its size is %+v", asked)
			}
		})
	}
}

// Flux keeps the objects of a cluster as they are in Git: it applies a manifest each time that Takt has changed the
// size of its job. Each turn costs the training a pause, so that it ends after a few of them.
func TestAJobWhoseManifestIsAppliedAgainAndAgainKeepsTheSizeThatItSays(t *testing.T) {
	o := resizedByTakt(t, resize.Ask{Epoch: 3, Stage: resize.Forward, Workers: 4, At: fixture.Start})
	events := fixture.Listens(o)
	for i, held := range []bool{false, false, true} {
		four := resize.Ask{Epoch: resize.Epoch(4 + i), Stage: resize.Forward, Workers: 4, At: fixture.Start}
		fixture.ResizedTo(t, o, four, kind.Target{})
		fixture.Scale(t, o, "kubectl-client-side-apply", 2)
		keepsSize(t, o, 2, held)
	}
	if len(events) != 1 {
		t.Fatalf("%d events", len(events))
	}
	if told := <-events; !strings.Contains(told, "Its manifest sets its size to 2 each time that Takt has changed "+
		"it, so it stays at that. Take replicas out of the manifest, or have whoever applies it leave that alone. Then "+
		"kubectl -n team annotate pytorchjob resnet takt.dev/hold- lets Takt resize it again.") {
		t.Errorf("told: %q", told)
	}
	// Takt has given it no other size since.
	fixture.Annotate(t, o, "kubectl-annotate", fixture.Start, map[string]string{shorthand.HoldAnnotation: ""})
	keepsSize(t, o, 2, false)
}

// Manifests that are applied now and then take nothing away for good.
func TestAJobWhoseManifestIsAppliedNowAndThenIsResizedAgain(t *testing.T) {
	o := resizedByTakt(t, resize.Ask{Epoch: 3, Stage: resize.Forward, Workers: 4, At: fixture.Start})
	for day := range 5 {
		o.Now = func() time.Time { return fixture.Start.Add(time.Duration(day) * 24 * time.Hour) }
		fixture.ResizedTo(t, o, resize.Ask{Epoch: resize.Epoch(4 + day), Stage: resize.Forward, Workers: 4,
			At: fixture.Start}, kind.Target{})
		fixture.Scale(t, o, "kubectl-client-side-apply", 2)
		fixture.Plans(t, o)
		if job := fixture.Get(t, o, "resnet", &kubeflow.PyTorchJob{}); shorthand.NotedHold(job.Annotations) {
			t.Fatalf("it is held on day %d", day)
		}
		if seen := o.Last.Load().Others.Sizes["team/resnet"]; !seen.Applied || len(seen.TakenBack) != day+1 {
			t.Errorf("on day %d the snapshot tells of %+v", day, seen)
		}
	}
}

// What keeps a job as it is in Git may resume it each time, too.
func TestAJobThatItsManifestResumesAgainAndAgainKeepsItsSize(t *testing.T) {
	o := resizedByTakt(t, resize.Ask{Epoch: 3, Stage: resize.Forward, Workers: 4, At: fixture.Start})
	events := fixture.Listens(o)
	for i, held := range []bool{false, false, true} {
		stops := resize.Ask{Epoch: resize.Epoch(4 + i), Stage: resize.Forward, Workers: 4, Suspended: true, At: fixture.Start}
		fixture.ResizedTo(t, o, stops, kind.Target{})
		fixture.Scale(t, o, "kubectl-client-side-apply", 0)
		keepsSize(t, o, 4, held)
	}
	if len(events) != 1 {
		t.Fatalf("%d events", len(events))
	}
	if told := <-events; !strings.Contains(told, "Its manifest resumes it each time that Takt has stopped it, so it "+
		"keeps its size of 4. Take spec.runPolicy.suspend out of the manifest") {
		t.Errorf("it is told %q", told)
	}
}

// Takt had it stopped for a moment, to start it at another size.
func TestAJobThatIsScaledByHandHalfWayThroughAColdResizeRunsWithThatSize(t *testing.T) {
	for name, c := range map[string]struct {
		manager string
		held    bool
	}{"by somebody": {"kubectl-scale", true}, "by a manifest that is applied anew": {"kubectl-client-side-apply", false}} {
		t.Run(name, func(t *testing.T) {
			job := fixture.AnnotatedJob(nil)
			o := fixture.Stopped(t, interceptor.Funcs{}, job, fixture.Worker0(job, "node"), fixture.ElasticJob("resnet"),
				fixture.Node("node", "8"))
			fixture.ResizedTo(t, o, resize.Ask{Epoch: 3, Stage: resize.Forward, Workers: 4, Suspended: true, At: fixture.Start},
				kind.Target{
					ReturnsTo: 4,
				})
			fixture.Scale(t, o, c.manager, 3)
			fixture.Plans(t, o)
			job = fixture.Get(t, o, "resnet", &kubeflow.PyTorchJob{})
			if *job.Spec.RunPolicy.Suspend || *job.Spec.PyTorchReplicaSpecs["Worker"].Replicas != 3 {
				t.Errorf("suspended: %t, with %d workers", *job.Spec.RunPolicy.Suspend,
					*job.Spec.PyTorchReplicaSpecs["Worker"].Replicas)
			}
			if _, held := job.Annotations[shorthand.HoldAnnotation]; held != c.held {
				t.Errorf("held: %t", held)
			}
			of, _ := o.Kinds.Get("PyTorchJob")
			if is := of.Read(job); is.Asked.Suspended || is.Asked.Workers != 3 || is.Written != 3 || is.ReturnsTo != 0 {
				t.Errorf("it is read as %+v", is)
			}
			for range 3 {
				fixture.Plans(t, o)
			}
		})
	}
}

// Takt has never resized it.
func TestAJobThatIsScaledByHandBeforeTaktHasDoneAnythingKeepsItsSize(t *testing.T) {
	job := fixture.AnnotatedJob(nil)
	o := fixture.Stopped(t, interceptor.Funcs{}, job, fixture.Worker0(job, "node"), fixture.ElasticJob("resnet"),
		fixture.Node("node", "8"))
	keepsSize(t, o, 1, false)
	fixture.Scale(t, o, "kubectl-scale", 2)
	keepsSize(t, o, 2, true)
	fixture.Annotate(t, o, "kubectl-annotate", fixture.Start, map[string]string{shorthand.HoldAnnotation: ""})
	keepsSize(t, o, 2, false)
}

// No operator runs at that moment, and the next one takes the size that the job had before from what is kept of it.
func TestAJobThatIsScaledByHandWhileNoOperatorRunsKeepsItsSize(t *testing.T) {
	for name, c := range map[string]struct {
		manager string
		to      int32
		held    bool
	}{
		"by somebody":          {"kubectl-scale", 2, true},
		"by a manifest":        {"kubectl-client-side-apply", 2, false},
		"nobody has scaled it": {"kubectl-scale", 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			job := fixture.AnnotatedJob(nil)
			o := fixture.Stopped(t, interceptor.Funcs{}, job, fixture.Worker0(job, "node"), fixture.ElasticJob("resnet"),
				fixture.Node("node", "8"))
			keepsSize(t, o, 1, false)
			if _, err := o.Reporter.Reconcile(t.Context(), fixture.Request("resnet")); err != nil {
				t.Fatal(err)
			}
			fixture.Scale(t, o, c.manager, c.to)
			o = fixture.Afresh(o)
			o.Planner.Warm.Store(true)
			keepsSize(t, o, c.to, c.held)
		})
	}
}

// Nobody may be given what a job holds whose size stays, and nobody gives way for what it waits for.
func TestTheGPUsOfAJobWhoseSizeStaysAreItsOwn(t *testing.T) {
	job := fixture.AnnotatedJob(map[string]string{shorthand.HoldAnnotation: "please"})
	waiting := fixture.Worker0(job, "")
	waiting.Name, waiting.UID, waiting.Labels[kubeflow.ReplicaIndexLabel] = "resnet-worker-1", "pod-1", "1"
	o := fixture.Stopped(t, interceptor.Funcs{}, job, fixture.Worker0(job, "node"), waiting, fixture.ElasticJob("resnet"),
		fixture.Node("node", "8"))
	sc, err := o.Planner.Observe(t.Context())
	if err != nil || len(sc.Held) != 1 || len(sc.Snapshot.Jobs) > 0 {
		t.Fatalf("it is planned for: %+v (%v)", sc, err)
	}
	if sc.Snapshot.Nodes[0].GPUs != 7 || len(sc.Snapshot.Demands) > 0 {
		t.Errorf("others may have %+v, and give way for %+v", sc.Snapshot.Nodes, sc.Snapshot.Demands)
	}
}

// Nobody has scaled the copy.
func TestACopyOfAJobThatWasScaledByHandIsNotHeld(t *testing.T) {
	o := resizedByTakt(t, resize.Ask{Epoch: 3, Stage: resize.Forward, Workers: 4, At: fixture.Start})
	fixture.Scale(t, o, "kubectl-scale", 2)
	keepsSize(t, o, 2, true)
	original := fixture.Get(t, o, "resnet", &kubeflow.PyTorchJob{})
	copied := fixture.AnnotatedJob(original.Annotations)
	copied.UID = "copy"
	o = fixture.Stopped(t, interceptor.Funcs{}, copied, fixture.Worker0(copied, "node"), fixture.ElasticJob("resnet"),
		fixture.Node("node", "8"))
	sc, err := o.Planner.Observe(t.Context())
	if err != nil || len(sc.Held) != 0 || len(sc.Snapshot.Jobs) != 1 {
		t.Errorf("it is not planned for: %+v (%v)", sc, err)
	}
	// What is noted of the copy takes the place of what was noted of the original.
	fixture.Scale(t, o, "kubectl-scale", 3)
	fixture.Plans(t, o)
	if job := fixture.Get(t, o, "resnet", &kubeflow.PyTorchJob{}); !shorthand.Holds(job.UID, job.Annotations) {
		t.Errorf("scaled by hand, it is not held: %v", job.Annotations)
	}
}

// An annotation that is not there keeps nothing, and cannot be taken off.
func TestASizeIsSaidToBeHeldOnlyByAnAnnotationThatIsThere(t *testing.T) {
	for name, manager := range map[string]string{"applied": "kubectl-client-side-apply", "not seen yet": "kubectl-scale"} {
		t.Run(name, func(t *testing.T) {
			o := resizedByTakt(t, resize.Ask{Epoch: 3, Stage: resize.Forward, Workers: 4, At: fixture.Start})
			fixture.Scale(t, o, manager, 2)
			fixture.Plans(t, o)
			said := fixture.Get(t, o, "resnet", &v1alpha1.ElasticJob{})
			s, err := o.View.Look(t.Context(), said)
			if err != nil {
				t.Fatal(err)
			}
			const want = "Somebody has set its size to 2, or has started it"
			if h := s.Known.HinderedBy(); h.Reason != memory.ReasonByHand || !strings.Contains(h.Message, want) ||
				strings.Contains(h.Message, shorthand.HoldAnnotation) {
				t.Errorf("it says %q (%s), want %q", h.Message, h.Reason, want)
			}
		})
	}
}
