package resizing_test

import (
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/agent/contract"
	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/predictor"
)

// A job whose last workers are on a node that goes trains on without them. It keeps its pool, and one whose first
// worker is there keeps its size.
func TestAJobTrainsOnWithoutWorkersWhoseNodeGoes(t *testing.T) {
	for name, tt := range map[string]struct {
		on      []string // the node of each worker
		notice  func(*corev1.Node)
		unsaved bool
		want    int32 // 0 for no Resize
	}{
		"its last workers are there":      {[]string{"stays", "stays", "goes", "goes"}, fixture.Goes, false, 2},
		"a condition says so":             {[]string{"stays", "stays", "stays", "goes"}, fixture.Preempted, false, 3},
		"most of its last ones are there": {[]string{"stays", "goes", "stays", "goes"}, fixture.Goes, false, 1},
		"one between them is there":       {[]string{"stays", "goes", "stays", "stays"}, fixture.Goes, false, 0},
		"its first worker is there":       {[]string{"goes", "stays", "stays", "stays"}, fixture.Goes, false, 0},
		"nobody has given notice":         {[]string{"stays", "stays", "goes", "goes"}, func(*corev1.Node) {}, false, 0},
		"all it has done would be lost":   {[]string{"stays", "stays", "goes", "goes"}, fixture.Goes, true, 0},
		"it has no workers there at all":  {[]string{"stays", "stays", "stays", "stays"}, fixture.Goes, false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			ej := fixture.ElasticJob("resnet", fixture.BestEffort)
			job, node := fixture.PyTorchJob("resnet", 4), fixture.Node("goes", "4")
			tt.notice(node)
			objects := []client.Object{ej, job, fixture.Node("stays", "4"), node}
			for i, pod := range fixture.WorkersOf(job, 4, "") {
				pod.Spec.NodeName = tt.on[i]
				objects = append(objects, pod)
			}
			o := fixture.Stopped(t, interceptor.Funcs{}, objects...)
			s, err := o.View.Look(t.Context(), ej)
			if err != nil {
				t.Fatal(err)
			}
			for i := range 30 {
				at := fixture.Start.Add(time.Duration(i-30) * 10 * time.Second)
				sample := progress.Sample{
					Source: v1alpha1.ProgressLogs, At: at, Done: float64(100 * i), Total: 100_000, Unit: "steps",
				}
				if !tt.unsaved {
					sample.SavedAt = at
				}
				s.Known.Run.Sample(sample, predictor.Shape{Workers: 4, Nodes: 2, GPU: "A100"})
			}
			fixture.Plans(t, o)
			var resizes v1alpha1.ResizeList
			if err := o.Client.List(t.Context(), &resizes); err != nil {
				t.Fatal(err)
			}
			switch {
			case tt.want == 0 && len(resizes.Items) == 0:
			case tt.want == 0:
				t.Errorf("it is resized: %+v", resizes.Items[0].Spec)
			case len(resizes.Items) != 1 || resizes.Items[0].Spec.To != tt.want ||
				resizes.Items[0].Spec.Reason != v1alpha1.ReasonNodeLeaves:
				t.Errorf("want it to have %d workers: %+v", tt.want, resizes.Items)
			}
		})
	}
}

// Whether the job can do without the node or not: all workers are asked to save, once for each notice. A growth that is
// under way may wait for longer than the node stays.
func TestWorkersAreAskedToSaveBeforeANodeGoes(t *testing.T) {
	for name, c := range map[string]struct {
		notice  func(*corev1.Node)
		resizes bool
	}{
		"a taint":     {fixture.Goes, false},
		"a condition": {fixture.Preempted, false},
		"in a resize": {fixture.Goes, true},
	} {
		t.Run(name, func(t *testing.T) {
			notice := c.notice
			ej, job, node := fixture.ElasticJob("resnet"), fixture.PyTorchJob("resnet", 2), fixture.Node("node", "8")
			pods := wrappedWorkers(job, 2, "2", letInFor2)
			objects := append(slices.Clone(pods), ej, job, node)
			if c.resizes {
				objects = append(objects, fixture.ResizeOf(ej, 3, 2, 4, v1alpha1.ConditionProposed, v1alpha1.ConditionPlaced))
			}
			o := fixture.Stopped(t, interceptor.Funcs{}, objects...)
			now := fixture.Start
			o.Now = func() time.Time { return now }
			attend := func() (requests []string) {
				t.Helper()
				if _, err := o.Attendant.Reconcile(t.Context(), fixture.Request("resnet")); err != nil {
					t.Fatal(err)
				}
				for _, pod := range pods {
					of := fixture.Get(t, o, pod.GetName(), &corev1.Pod{})
					requests = append(requests, of.Annotations[contract.SaveAnnotation])
				}
				return requests
			}
			if asked := attend(); asked[0] != "" {
				t.Errorf("without notice they are asked: %q", asked)
			}
			notice(node)
			goesNow := node.DeepCopy()
			if err := o.Client.Update(t.Context(), goesNow); err != nil {
				t.Fatal(err)
			}
			goesNow.Status = node.Status
			if err := o.Client.Status().Update(t.Context(), goesNow); err != nil {
				t.Fatal(err)
			}
			first := attend()
			if first[0] == "" || first[1] != first[0] {
				t.Errorf("with notice they are asked: %q", first)
			}
			now = now.Add(time.Minute)
			if again := attend(); again[0] != first[0] {
				t.Errorf("they are asked once more: %q, and %q before", again, first)
			}
		})
	}
}
