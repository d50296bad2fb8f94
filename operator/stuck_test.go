package operator

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/adapter"
)

// crew are workers by their index: l lives, s is stuck, t is stuck and told to go, f has failed there, and there is
// none at a dot.
func crew(t *testing.T, size resize.Workers, workers string) (*Operator, *subject) {
	t.Helper()
	lost := gpuNode("lost", "8")
	for i := range lost.Status.Conditions {
		lost.Status.Conditions[i].Status = corev1.ConditionUnknown
	}
	s := &subject{ej: elasticJob("resnet"), job: adapter.Job{Size: size, Mode: resize.Live, Suspended: size == 0}}
	for i, is := range workers {
		pod := worker0(pytorchJob("resnet", 1), "here")
		if is != 'l' {
			pod.Spec.NodeName = "lost"
		}
		switch is {
		case '.':
			continue
		case 't':
			pod.DeletionTimestamp = new(metav1.NewTime(start))
		case 'f':
			pod.Status.Phase = corev1.PodFailed
		}
		s.pods = append(s.pods, worker{resize.Index(i), pod})
	}
	return stopped(t, interceptor.Funcs{}, gpuNode("here", "8"), lost), s
}

// Who is stuck on a node that does not answer keeps an index, and training-operator fills what is missing below.
func TestAResizeMindsWhoIsStuck(t *testing.T) {
	for name, test := range map[string]struct {
		workers  string
		from, to elastic.Workers
		mode     resize.Mode
		want     elastic.Workers
	}{
		"nobody":                                    {"llll", 4, 2, resize.Live, 2},
		"one who has ended":                         {"lfll", 4, 3, resize.Live, 3},
		"the last ones":                             {"llss", 4, 2, resize.Live, 2},
		"the last ones, and more are to go":         {"llls", 4, 2, resize.Live, 3},
		"those who were told to go":                 {"lltt", 2, 1, resize.Live, 2},
		"one who lives is above":                    {"lsll", 4, 3, resize.Live, 4},
		"one who lives is between":                  {"lsls", 4, 2, resize.Live, 4},
		"one between is about to come back":         {"ls.s", 4, 1, resize.Live, 4},
		"fewer are to go than are stuck":            {"llss", 4, 3, resize.Live, 4},
		"it is to grow":                             {"llss", 4, 6, resize.Live, 4},
		"it is to grow where others are stuck":      {"lltt", 2, 4, resize.Live, 2},
		"it is to stop":                             {"lsls", 4, 0, resize.Live, 0},
		"it is to start":                            {"..tt", 0, 2, resize.Live, 2},
		"it cannot train on, whoever is left of it": {"lsls", 4, 2, resize.Cold, 2},
	} {
		t.Run(name, func(t *testing.T) {
			o, s := crew(t, resize.Workers(test.from), test.workers)
			s.job.Mode = test.mode
			got, why := o.aroundStuck(s, elastic.Resize{From: test.from, To: test.to})
			if got != test.want {
				t.Errorf("%d workers, want %d", got, test.want)
			}
			if (why.reason == reasonStuck) != (got == test.from) {
				t.Errorf("%d workers are said to be hindered by %+v", got, why)
			}
		})
	}
}

// A plan that gave such a job another size would keep GPUs for it that it cannot have, or count on some that it
// cannot give back.
func TestAPlanSeesWhatIsLeftOfAJob(t *testing.T) {
	for name, test := range map[string]struct {
		workers  string
		size     resize.Workers
		has, may elastic.Workers // 0: nothing is special
		hampered bool
	}{
		"nobody is stuck":                    {"llll", 4, 0, 0, false},
		"they may come back":                 {"lsls", 4, 0, 0, false},
		"mixed":                              {"ltlt", 4, 2, 2, true},
		"the last ones":                      {"lltt", 4, 4, 2, false},
		"the last ones, once it has shrunk":  {"lltt", 2, 2, 2, true},
		"one of the last ones may come back": {"llst", 4, 4, 3, false},
		"nobody is left":                     {"tttt", 4, 0, 0, false},
		"it is stopped":                      {"ltlt", 0, 0, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			o, s := crew(t, test.size, test.workers)
			has, may, ok := o.leftOver(s, 1)
			if has != test.has || may != test.may || ok != (has > 0) {
				t.Errorf("it has %d and may have %d (%t), want %d and %d", has, may, ok, test.has, test.may)
			}
			if (s.hampered.reason == reasonStuck) != test.hampered {
				t.Errorf("it is hampered by %+v", s.hampered)
			}
		})
	}
}

// What lost nodes hold is not taken from what the others have; but while its pods may come back, their node is
// still reckoned to have them.
func TestAPurseCountsWhatNodesHold(t *testing.T) {
	for workers, want := range map[string]elastic.GPUs{"llll": 4, "llss": 4, "lltt": 6} {
		o, s := crew(t, 4, workers)
		sc := &scene{at: start, subjects: []*subject{s}, snapshot: elastic.Snapshot{
			Nodes: []elastic.Node{{Name: "here", GPUs: 8}}, Jobs: []elastic.Job{{GPUsPerWorker: 1, Workers: 4}},
		}}
		if got := o.planner.purse(sc).gpus[""]; got != want {
			t.Errorf("%s: %d GPUs are free, want %d", workers, got, want)
		}
	}
}
