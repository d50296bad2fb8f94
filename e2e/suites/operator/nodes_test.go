package operator

import (
	"errors"
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/training"
	"github.com/takt-dev/takt/e2e/lib/world"
)

// without is the node, of two, that the first worker does not run on.
func without(w *world.World, nodes []string) string {
	if w.Workers("resnet")[0].Spec.NodeName == nodes[0] {
		return nodes[1]
	}
	return nodes[0]
}

// on is how many workers of a job run on a node.
func on(w *world.World, job, node string) int {
	n := 0
	for _, p := range w.Workers(job) {
		if p.Spec.NodeName == node && p.Status.Phase == corev1.PodRunning && p.DeletionTimestamp == nil {
			n++
		}
	}
	return n
}

// wide is a job that uses all of two nodes, and has all the time in the world. Its workers are on both by turns.
func wide(w *world.World, kind string) []string {
	nodes := w.Nodes(2, 4)
	spread := []any{map[string]any{
		"maxSkew": int64(1), "topologyKey": corev1.LabelHostname, "whenUnsatisfiable": "ScheduleAnyway",
		"labelSelector": map[string]any{"matchLabels": map[string]any{world.NameLabel(kind): "resnet"}},
	}}
	w.Train(kind, "resnet", world.Job{
		Workers: 1, Max: 8, Suspended: true, Deadline: "2h",
		Training: world.Steps(1e5, training.Speed{Base: 20, Scaling: 0.95}),
		Change: func(job *unstructured.Unstructured) {
			world.InPods(job, spread, "topologySpreadConstraints")
		},
	})
	run(w, "resnet", 8)
	settle(w, "resnet")
	return nodes
}

// Every second worker is on the node that is lost. The others would be made anew and deleted over and over if
// the job were to shrink: training-operator fills gaps below the greatest index there is.
func TestWhoIsLeftOfAMixedJobTrainsOnAsItIs(t *testing.T) {
	t.Parallel()
	world.EachKind(t, func(t *testing.T, kind string) {
		w := world.New(t, world.Options{Start: world.Operate})
		lost := without(w, wide(w, kind))
		var left []string
		for _, pod := range w.Workers("resnet") {
			if pod.Spec.NodeName != lost {
				left = append(left, pod.Name)
			}
		}
		first := w.Names("resnet")[0]
		w.Lose(lost)
		w.Eventually("it is said why its size stays", world.Soon, func() error {
			c := meta.FindStatusCondition(w.Job("resnet").Status.Conditions, v1alpha1.ConditionResizing)
			if c == nil || c.Reason != "NodeDoesNotAnswer" {
				return fmt.Errorf("it is said that %+v", c)
			}
			return world.Want("workers that run", w.Running("resnet"), len(left))
		})
		trainsOn(w, 500)
		for _, name := range left {
			if err := w.History.Undisturbed(name); err != nil {
				t.Error(err)
			}
		}
		w.Return(lost)
		run(w, "resnet", 8)
		settle(w, "resnet")
		advances(w, "resnet")
		if err := w.History.Undisturbed(first); err != nil {
			t.Error(err)
		}
	})
}

// ontoAnother is a job that has grown onto another node, with as many workers as on the first: which node that is.
func ontoAnother(w *world.World, kind string) (another string) {
	w.Nodes(1, 4)
	w.Train(kind, "resnet", world.Job{
		Workers: 1, Max: 8, Suspended: true, Deadline: "2h",
		// It loses so much with each worker on one node that two seem to be slower.
		Training: world.Steps(1e5, training.Measured(22, 38, 57, 74, 92, 110, 127, 144)),
	})
	run(w, "resnet", 4)
	settle(w, "resnet")
	another = w.Nodes(1, 4)[0]
	run(w, "resnet", 8)
	settle(w, "resnet")
	trainsOn(w, 2000) // so that it is known for sure how fast it is with all of them
	return another
}

// Those that joined last are on the node that is lost: the job goes on as a smaller one.
func TestJobGoesOnWithoutALostNodeAndGrowsWhenItReturns(t *testing.T) {
	t.Parallel()
	world.EachKind(t, func(t *testing.T, kind string) {
		w := world.New(t, world.Options{Start: world.Operate})
		lost := ontoAnother(w, kind)
		first := w.Names("resnet")[0]
		w.Lose(lost)
		w.Eventually("it trains with what is left", world.Soon, func() error {
			if n := w.Running("resnet"); n < 1 || n > 4 {
				return fmt.Errorf("%d workers run", n)
			}
			return nil
		})
		trainsOn(w, 100)
		if err := w.History.Undisturbed(first); err != nil {
			t.Error(err)
		}
		w.Return(lost)
		w.Eventually("it grows again", world.Later, func() error {
			if n := w.Running("resnet"); n < 6 { // the last ones bring so little that they may not be worth a pause
				return fmt.Errorf("%d workers run", n)
			}
			return nil
		})
		settle(w, "resnet")
		advances(w, "resnet")
	})
}

// The cloud gives notice of the node that those are on who joined last: the job trains on without them before the node
// is gone, and grows again on another.
func TestJobLeavesANodeThatIsAboutToGo(t *testing.T) {
	t.Parallel()
	world.EachKind(t, func(t *testing.T, kind string) {
		w := world.New(t, world.Options{Start: world.Operate})
		goes := ontoAnother(w, kind)
		stay := w.Names("resnet")[:4]
		w.GiveNotice(goes)
		w.Eventually("nobody of it is on that node", world.Soon, func() error {
			for _, pod := range w.Workers("resnet") {
				if pod.Spec.NodeName == goes {
					return fmt.Errorf("%s is", pod.Name)
				}
			}
			return world.Want("workers that run", w.Running("resnet"), 4)
		})
		if past := w.Resizes("resnet"); past[len(past)-1].Spec.Reason != v1alpha1.ReasonNodeLeaves {
			t.Errorf("it has become smaller as %+v", past[len(past)-1].Spec)
		}
		settle(w, "resnet")
		trainsOn(w, 100)
		w.Nodes(1, 4)
		w.Eventually("it grows again", world.Later, func() error {
			if n := w.Running("resnet"); n < 6 {
				return fmt.Errorf("%d workers run", n)
			}
			return nil
		})
		if err := w.History.Undisturbed(stay...); err != nil {
			t.Error(err)
		}
	})
}

func TestWorkersOfARemovedNodeComeBackElsewhereAndANewNodeIsUsed(t *testing.T) {
	t.Parallel()
	world.EachKind(t, func(t *testing.T, kind string) {
		w := world.New(t, world.Options{Start: world.Operate})
		gone := without(w, wide(w, kind))
		first := w.Names("resnet")[0]
		w.Remove(gone)
		run(w, "resnet", 4)
		settle(w, "resnet")
		advances(w, "resnet")
		if err := w.History.Undisturbed(first); err != nil {
			t.Error(err)
		}
		w.Nodes(1, 4)
		run(w, "resnet", 8)
		settle(w, "resnet")
	})
}

func TestCordonedNodeKeepsItsWorkersAndGetsNoOthers(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{Start: world.Operate})
	closed := without(w, wide(w, "PyTorchJob"))
	w.Cordon(closed)
	before := len(w.Resizes("resnet"))
	w.Steadily("all workers stay", 4*time.Second, func() error {
		return errors.Join(world.Want("running", w.Running("resnet"), 8),
			world.Want("Resizes", len(w.Resizes("resnet")), before))
	})
	urgent := world.Steps(2000, training.Speed{Base: 20, Scaling: 0.98}) // one worker 100 s, two 50 s
	w.PyTorchJob("urgent", world.Job{Workers: 1, Max: 2, Suspended: true, Deadline: "10m", Training: urgent})
	// What resnet gives back first is on the closed node, where nobody else may go.
	w.Eventually("a newcomer finds its place", 2*world.Soon, func() error {
		if w.Running("urgent") == 0 {
			return errors.New("it has none")
		}
		return world.Want("its workers on the cordoned node", on(w, "urgent", closed), 0)
	})
	settle(w, "urgent")
	w.Hurry("PyTorchJob", "urgent", urgent)
	meet(t, w, "urgent")
	settle(w, "resnet")
	if err := w.History.Undisturbed("resnet-worker-0"); err != nil {
		t.Error(err)
	}
	w.Uncordon(closed)
	run(w, "resnet", 8)
}
