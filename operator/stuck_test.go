package operator

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/begin"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/view"
)

// crew are workers by their index: l lives, s is on a node that does not answer, t too and told to go, f has failed
// there, u is told to go by a node that is unwell, and there is none at a dot.
func crew(t *testing.T, size resize.Workers, workers string) (*Operator, *view.Subject) {
	t.Helper()
	lost, unwell := gpuNode("lost", "8"), gpuNode("unwell", "8")
	lost.Status.Conditions[0].Status, unwell.Status.Conditions[0].Status = corev1.ConditionUnknown, corev1.ConditionFalse
	s := &view.Subject{
		ElasticJob: elasticJob("resnet"), Job: kind.Job{Size: size, Mode: resize.Live, Suspended: size == 0},
	}
	for i, is := range workers {
		pod := worker0(pytorchJob("resnet", 1), "here")
		if is != 'l' {
			pod.Spec.NodeName = "lost"
		}
		switch is {
		case '.':
			continue
		case 'u':
			pod.Spec.NodeName, pod.DeletionTimestamp = "unwell", new(metav1.NewTime(start))
		case 't':
			pod.DeletionTimestamp = new(metav1.NewTime(start))
		case 'f':
			pod.Status.Phase = corev1.PodFailed
		}
		s.Pods = append(s.Pods, view.Worker{Index: resize.Index(i), Pod: pod})
	}
	return stopped(t, interceptor.Funcs{}, gpuNode("here", "8"), lost, unwell), s
}

// Who is stuck on a node that does not answer keeps an index, and training-operator fills what is missing below.
func TestAResizeMindsWhoIsStuck(t *testing.T) {
	for name, test := range map[string]struct {
		workers  string
		from, to elastic.Workers
		mode     resize.Mode
		waits    bool
	}{
		"nobody":                                    {"llll", 4, 2, resize.Live, false},
		"one who has ended":                         {"lfll", 4, 3, resize.Live, false},
		"the last ones":                             {"llss", 4, 2, resize.Live, false},
		"the last ones, and more are to go":         {"llls", 4, 2, resize.Live, true},
		"the last one, others have come back":       {"lllt", 4, 1, resize.Live, true},
		"those who were told to go":                 {"lltt", 2, 1, resize.Live, true},
		"one who lives is above":                    {"lsll", 4, 3, resize.Live, true},
		"one below is told to go":                   {"lull", 4, 3, resize.Live, true},
		"one who lives is between":                  {"lsls", 4, 2, resize.Live, true},
		"one between is about to come back":         {"ls.s", 4, 1, resize.Live, true},
		"fewer are to go than are stuck":            {"llss", 4, 3, resize.Live, true},
		"it is to grow":                             {"llss", 4, 6, resize.Live, true},
		"it is to grow where others are stuck":      {"lltt", 2, 4, resize.Live, true},
		"it is to stop":                             {"lsls", 4, 0, resize.Live, false},
		"it is to start":                            {"..tt", 0, 2, resize.Live, false},
		"it cannot train on, whoever is left of it": {"lsls", 4, 2, resize.Cold, false},
	} {
		t.Run(name, func(t *testing.T) {
			o, s := crew(t, resize.Workers(test.from), test.workers)
			s.Job.Mode = test.mode
			job := elastic.Job{Name: "job", Workers: test.from}
			scene := begin.Scene{
				Snapshot: elastic.Snapshot{Jobs: []elastic.Job{job}},
				Seen:     map[string]begin.Seen{"job": o.planner.See(t.Context(), s, true)},
			}
			why := begin.Now(scene, elastic.Decision{
				Jobs: []elastic.Outcome{{}}, Resizes: []elastic.Resize{{Job: "job", From: test.from, To: test.to}},
			}).Hindered[0]
			if waits := why.Reason == begin.Stuck; waits != test.waits {
				t.Errorf("it waits: %t, for %+v; want %t", waits, why, test.waits)
			}
		})
	}
}

// What lost nodes hold is not taken from what the others have; but while its pods may come back, their node is
// still reckoned to have them.
func TestWhatWorkersHoldIsWhatNodesHold(t *testing.T) {
	for workers, want := range map[string]elastic.Workers{"llll": 4, "llss": 4, "lltt": 2} {
		o, s := crew(t, 4, workers)
		if got := o.planner.See(t.Context(), s, false).Holds; got != want {
			t.Errorf("%s: %d of them hold GPUs, want %d", workers, got, want)
		}
	}
}

// GPUs that a job cannot have, as it cannot grow, are left to others.
func TestNoPlanGrowsAJobThatHasWorkersStuck(t *testing.T) {
	for node, want := range map[string]elastic.Workers{"here": 8, "lost": 1} {
		job, lost := pytorchJob("resnet", 1), gpuNode("lost", "8")
		lost.Status.Conditions[0].Status = corev1.ConditionUnknown
		pod := worker0(job, node)
		pod.DeletionTimestamp, pod.Finalizers = new(metav1.NewTime(start)), []string{"test/stays"}
		o := stopped(t, interceptor.Funcs{}, gpuNode("here", "8"), lost, elasticJob("resnet"), job, pod)
		if _, err := o.planner.Plan(t.Context()); err != nil {
			t.Fatal(err)
		}
		sizes := o.last.Load().Jobs[0].Sizes
		if most := sizes[len(sizes)-1].Workers; most != want {
			t.Errorf("with its worker on node %s it may have up to %d workers, want %d", node, most, want)
		}
	}
}

// A job that was stopped starts once the pods that it had are gone: until then none of their names can be made.
func TestAJobStartsOnceItsLastPodsAreGone(t *testing.T) {
	for name, c := range map[string]struct {
		node  string
		after time.Duration
		want  bool
	}{
		"a pod that is told to go":             {"node", 0, true},
		"one that takes too long":              {"node", time.Hour, false},
		"one on a node that does not answer":   {"lost", 0, false},
		"it has none, as it has never started": {"", 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			job := annotatedJob(nil)
			job.Spec.RunPolicy.Suspend = new(true)
			lost := gpuNode("lost", "8")
			lost.Status.Conditions[0].Status = corev1.ConditionUnknown
			objects := []client.Object{job, elasticJob("resnet"), gpuNode("node", "8"), lost}
			if c.node != "" {
				pod := worker0(job, c.node)
				pod.DeletionTimestamp, pod.Finalizers = new(metav1.NewTime(start.Add(-c.after))), []string{"test/goes"}
				objects = append(objects, pod)
			}
			o := stopped(t, interceptor.Funcs{}, objects...)
			o.limits.StopWithin = 5 * time.Minute
			o.furnish()
			plans(t, o)
			var begun v1alpha1.ResizeList
			if err := o.client.List(t.Context(), &begun); err != nil {
				t.Fatal(err)
			}
			s, err := o.view.Look(t.Context(), get(t, o, "resnet", &v1alpha1.ElasticJob{}))
			if err != nil {
				t.Fatal(err)
			}
			if waits := s.Known.HinderedBy().Reason == memory.ReasonLeaving; waits != c.want || waits == (len(begun.Items) > 0) {
				t.Errorf("it waits: %t, and %d Resizes are begun", waits, len(begun.Items))
			}
		})
	}
}
