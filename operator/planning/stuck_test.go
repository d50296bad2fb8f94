package planning

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/begin"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/view"
)

// crew are workers by their index: l lives, s is on a node that does not answer, t too and told to go, f has failed
// there, u is told to go by a node that is unwell, and there is none at a dot.
func crew(t *testing.T, size resize.Workers, workers string) (*Planner, *view.Subject) {
	t.Helper()
	node := func(name string, ready corev1.ConditionStatus) *corev1.Node {
		return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}, Status: corev1.NodeStatus{
			Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: ready}},
		}}
	}
	s := &view.Subject{
		ElasticJob: &v1alpha1.ElasticJob{}, Job: kind.Job{Size: size, Mode: resize.Live, Suspended: size == 0},
	}
	for i, is := range workers {
		pod := &corev1.Pod{Spec: corev1.PodSpec{NodeName: "here"}, Status: corev1.PodStatus{Phase: corev1.PodRunning}}
		if is != 'l' {
			pod.Spec.NodeName = "lost"
		}
		switch is {
		case '.':
			continue
		case 'u':
			pod.Spec.NodeName, pod.DeletionTimestamp = "unwell", new(metav1.NewTime(present))
		case 't':
			pod.DeletionTimestamp = new(metav1.NewTime(present))
		case 'f':
			pod.Status.Phase = corev1.PodFailed
		}
		s.Pods = append(s.Pods, view.Worker{Index: resize.Index(i), Pod: pod})
	}
	scheme := runtime.NewScheme() // of few kinds, as the fake API server makes a list of all for each write
	if err := corev1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	nodes := fake.NewClientBuilder().WithScheme(scheme).WithObjects(node("here", corev1.ConditionTrue),
		node("lost", corev1.ConditionUnknown), node("unwell", corev1.ConditionFalse)).Build()
	return &Planner{View: &view.Viewer{Client: nodes}}, s
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
			p, s := crew(t, resize.Workers(test.from), test.workers)
			s.Job.Mode = test.mode
			job := elastic.Job{Name: "job", Workers: test.from}
			scene := begin.Scene{
				Snapshot: elastic.Snapshot{Jobs: []elastic.Job{job}},
				Seen:     map[string]begin.Seen{"job": p.see(t.Context(), s, true)},
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
		p, s := crew(t, 4, workers)
		if got := p.see(t.Context(), s, false).Holds; got != want {
			t.Errorf("%s: %d of them hold GPUs, want %d", workers, got, want)
		}
	}
}
