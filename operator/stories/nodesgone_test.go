package stories

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/operator/zoo/habit"
)

// Nodes with the GPUs to which Takt has kept a training go, as where spot capacity is taken back. Where all do, it goes
// on with those of another kind, whether its size changes while it trains or by a restart. Where some are left, it goes
// on there with fewer workers.
func TestStoryATrainingWhoseNodesAreGoneGoesOnWithOtherGPUs(t *testing.T) {
	for name, test := range map[string]struct {
		cold bool
		gone []string
		want string // the nodes of its workers
	}{
		"all, live":          {false, []string{"m-0", "m-1"}, "h-0 h-1"},
		"all, by a restart":  {true, []string{"m-0", "m-1"}, "h-0 h-1"},
		"some, live":         {false, []string{"m-0"}, "m-1"},
		"some, by a restart": {true, []string{"m-0"}, "m-1"},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLoop(t)
			l.z.NodesWith("A100", "m", 2, 1)
			l.z.NodesWith("T4", "b", 1, 1)
			usual := habit.Animals()[0].Habits
			usual.Cold, usual.Ran = test.cold, 0
			training := l.z.Add("job", usual, 1, 2, 2)
			l.take("job", l.z.Clock.Now().Add(100*time.Hour))
			l.begin()
			run := func() { l.z.Clock.Run(l.z.Clock.Now().Add(15*time.Minute), training.Over) }
			run()
			if got := nodesOf(t, l); got != "m-0 m-1" {
				t.Fatalf("its workers are on %s", got)
			}
			l.z.NodesWith("H100", "h", 2, 1)
			for _, node := range test.gone {
				loses(t, l, node)
			}
			if run(); nodesOf(t, l) != test.want {
				t.Errorf("its workers are on %s, want %s", nodesOf(t, l), test.want)
			}
		})
	}
}

// nodesOf are the nodes of all workers.
func nodesOf(t *testing.T, l *loop) string {
	t.Helper()
	var pods corev1.PodList
	if err := l.z.Server.List(t.Context(), &pods); err != nil {
		t.Fatal(err)
	}
	var nodes []string
	for i := range pods.Items {
		nodes = append(nodes, pods.Items[i].Spec.NodeName)
	}
	slices.Sort(nodes)
	return strings.Join(nodes, " ")
}

// loses has a node go, with its pods.
func loses(t *testing.T, l *loop, name string) {
	t.Helper()
	var pods corev1.PodList
	err := l.z.Server.List(t.Context(), &pods)
	objects := []client.Object{&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}}}
	for i := range pods.Items {
		if pods.Items[i].Spec.NodeName == name {
			objects = append(objects, &pods.Items[i])
		}
	}
	for _, o := range objects {
		err = errors.Join(err, l.z.Server.Delete(t.Context(), o, client.GracePeriodSeconds(0)))
	}
	if err != nil {
		t.Fatal(err)
	}
}
