package planning_test

import (
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/fixture"
)

// since says what a node says of itself, and for how long.
func since(node *corev1.Node, is corev1.ConditionStatus, ago time.Duration) *corev1.Node {
	said := &node.Status.Conditions[0]
	said.Status, said.LastTransitionTime = is, metav1.NewTime(fixture.Start.Add(-ago))
	return node
}

func withTaint(node *corev1.Node, key string, effect corev1.TaintEffect) *corev1.Node {
	node.Spec.Taints = append(node.Spec.Taints, corev1.Taint{Key: key, Effect: effect})
	return node
}

// A node that is back answers, and takes no pods until the node controller has taken off its taints. Every second
// worker of a job waits for it meanwhile: the job keeps its size, and nobody else begins on what the node is about to
// have.
func TestAJobKeepsItsSizeWhileItsNodeComesBack(t *testing.T) {
	const unreachable, noExecute = corev1.TaintNodeUnreachable, corev1.TaintEffectNoExecute
	for name, test := range map[string]struct {
		node *corev1.Node
		want elastic.GPUs // that jobs may have
	}{
		"it answers, and has its taint": {
			withTaint(since(fixture.Node("back", "4"), corev1.ConditionTrue, 2*time.Minute), unreachable, noExecute), 8,
		},
		"another one": {
			withTaint(since(fixture.Node("back", "4"), corev1.ConditionTrue, 2*time.Minute), corev1.TaintNodeNotReady,
				noExecute), 8,
		},
		"it answers that it is not ready yet": {
			withTaint(since(fixture.Node("back", "4"), corev1.ConditionFalse, time.Minute), unreachable, noExecute), 8,
		},
		"it has not been ready for long": {since(fixture.Node("back", "4"), corev1.ConditionFalse, time.Hour), 4},
		"nobody takes off its taint": {
			withTaint(since(fixture.Node("back", "4"), corev1.ConditionTrue, time.Hour), unreachable, noExecute), 4,
		},
		"it is cordoned as well": {withTaint(withTaint(since(fixture.Node("back", "4"), corev1.ConditionTrue, time.Minute),
			unreachable, noExecute),
			corev1.TaintNodeUnschedulable, corev1.TaintEffectNoSchedule), 4},
	} {
		t.Run(name, func(t *testing.T) {
			job := fixture.PyTorchJob("resnet", 8)
			objects := append(fixture.CrewOn(job, "here", "", "here", "", "here", "", "here", ""), job,
				fixture.ElasticJob("resnet"),
				fixture.Node("here", "4"), test.node,
				fixture.ElasticJob("waits"), fixture.PyTorchJob("waits", 1, fixture.SuspendedAtFirst))
			o := fixture.Stopped(t, interceptor.Funcs{}, objects...)
			next, err := o.Planner.Plan(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			has := elastic.GPUs(0)
			for _, node := range o.Last.Load().Nodes {
				has += node.GPUs
			}
			if has != test.want {
				t.Errorf("jobs may have %d GPUs, want %d", has, test.want)
			}
			if resizes := fixture.ResizesOf(t, o); (test.want == 8) != (len(resizes) == 0) {
				t.Errorf("begun: %v", resizes)
			}
			if test.want == 8 && next > 5*time.Minute {
				t.Errorf("the next plan is due in %s, when the node counts no more", next)
			}
		})
	}
}

// A taint or a label that comes while workers run makes another pool of their node, and harms none of them: their job
// keeps its size, and what they hold there.
func TestAJobKeepsItsSizeWhereSomebodyMarksItsNodes(t *testing.T) {
	const noSchedule, noExecute = corev1.TaintEffectNoSchedule, corev1.TaintEffectNoExecute
	anything := func(spec *corev1.PodSpec) {
		spec.Tolerations = []corev1.Toleration{{Operator: corev1.TolerationOpExists}}
	}
	forAWhile := func(spec *corev1.PodSpec) {
		spec.Tolerations = []corev1.Toleration{
			{Key: "upkeep", Operator: corev1.TolerationOpExists, TolerationSeconds: new(int64(600))},
		}
	}
	for name, test := range map[string]struct {
		node   *corev1.Node
		change func(*corev1.PodSpec)
	}{
		"a taint that its pods do not tolerate": {withTaint(fixture.Node("there", "4"), "upkeep", noSchedule), nil},
		"a taint that they tolerate, as any": {withTaint(fixture.Node("there", "4"), "upkeep", noExecute),
			anything},
		"a taint that they tolerate for a while": {withTaint(fixture.Node("there", "4"), "upkeep", noExecute),
			forAWhile},
		"its driver starts anew, and tells no product": {unlabelled(fixture.Node("there", "4")), nil},
	} {
		for at, nodes := range map[string][]string{
			"every second of its nodes": {"here", "there", "here", "there", "here", "there", "here", "there"},
			"the first ones":            {"there", "there", "there", "there", "here", "here", "here", "here"},
			"all but one":               {"there", "there", "here", "there", "there"},
			"all of them":               {"there", "there", "there", "there"},
		} {
			t.Run(name+", at "+at, func(t *testing.T) {
				job := fixture.PyTorchJob("resnet", int32(len(nodes)))
				if test.change != nil {
					test.change(&job.Spec.PyTorchReplicaSpecs[kubeflow.PyTorchJobReplicaTypeWorker].Template.Spec)
				}
				// The others have what is left.
				others := fixture.PyTorchJob("others", 4)
				objects := append(fixture.CrewOn(job, nodes...), fixture.Node("here", "4"), test.node, fixture.Node("else", "4"),
					job,
					fixture.ElasticJob("resnet"), others, fixture.ElasticJob("others"))
				o := fixture.Stopped(t, interceptor.Funcs{},
					append(objects, fixture.CrewOn(others, "else", "else", "else", "else")...)...)
				if _, err := o.Planner.Plan(t.Context()); err != nil {
					t.Fatal(err)
				}
				for _, resize := range fixture.ResizesOf(t, o) {
					t.Errorf("begun: %s", resize)
				}
				planned := o.Last.Load()
				if err := planned.Check(); err != nil {
					t.Error(err)
				}
				for _, job := range planned.Jobs {
					if len(job.On) != int(job.Workers) {
						t.Errorf("of the nodes of %s these are known: %v", job.Name, job.On)
					}
				}
			})
		}
	}
}

func unlabelled(node *corev1.Node) *corev1.Node {
	node.Labels = nil
	return node
}
