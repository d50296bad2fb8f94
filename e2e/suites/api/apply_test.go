package api

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/e2e/lib/cluster"
)

func condition(kind string) string {
	return fmt.Sprintf(`{type: %s, status: "True", reason: Test, message: "", lastTransitionTime: "2026-11-20T10:00:00Z"}`,
		kind)
}

func speed(workers int, perSecond string) string {
	return fmt.Sprintf(`{run: resnet-1f9c, gpu: A100, workers: %d, nodes: 1, perSecond: %q, count: 1, updatedAt: "2026-11-20T10:00:00Z"}`, workers, perSecond)
}

func restarted(kind string, milliseconds int) string {
	return fmt.Sprintf(`{run: resnet-1f9c, kind: %s, pauseMilliseconds: %d, lostMilliseconds: 0, count: 1, updatedAt: "2026-11-20T10:00:00Z"}`, kind, milliseconds)
}

// Two writers apply an item each to the same list: both items must be there, in the order in
// which they came. Then one applies the other's item with another value: a conflict.
func TestServerSideApplyMergesEveryList(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		kind, list    string
		first, second string
		changed       string // the first item with another value
		key           string
		want          []string
	}{
		"ElasticJob conditions": {
			kind: "ElasticJob", list: "conditions", key: "type",
			first: condition("Admitted"), second: condition("Running"),
			changed: strings.Replace(condition("Admitted"), "True", "False", 1),
			want:    []string{"Admitted", "Running"},
		},
		"Resize conditions": {
			kind: "Resize", list: "conditions", key: "type",
			first: condition("Proposed"), second: condition("Placed"),
			changed: strings.Replace(condition("Proposed"), "reason: Test", "reason: Other", 1),
			want:    []string{"Proposed", "Placed"},
		},
		"Resize pods": {
			kind: "Resize", list: "pods", key: "name",
			first: `{name: resnet-worker-2, node: node-0}`, second: `{name: resnet-worker-3}`,
			changed: `{name: resnet-worker-2, node: node-1}`,
			want:    []string{"resnet-worker-2", "resnet-worker-3"},
		},
		"TrainingQueue conditions": {
			kind: "TrainingQueue", list: "conditions", key: "type",
			first: condition("Active"), second: condition("Guaranteed"),
			changed: strings.Replace(condition("Active"), "True", "False", 1),
			want:    []string{"Active", "Guaranteed"},
		},
		"TrainingProfile conditions": {
			kind: "TrainingProfile", list: "conditions", key: "type",
			first: condition("Learned"), second: condition("Fresh"),
			changed: strings.Replace(condition("Learned"), "True", "False", 1),
			want:    []string{"Learned", "Fresh"},
		},
		"TrainingProfile speeds": {
			kind: "TrainingProfile", list: "speeds", key: "workers",
			first: speed(1, "1.5"), second: speed(2, "2.8"), changed: speed(1, "1"),
			want: []string{"1", "2"},
		},
		"TrainingProfile speeds of another run": {
			kind: "TrainingProfile", list: "speeds", key: "run",
			first: speed(1, "1.5"), second: strings.Replace(speed(1, "2.8"), "resnet-1f9c", "resnet-77ab", 1),
			changed: speed(1, "1"),
			want:    []string{"resnet-1f9c", "resnet-77ab"},
		},
		"TrainingProfile restarts": {
			kind: "TrainingProfile", list: "restarts", key: "kind",
			first: restarted("Start", 20000), second: restarted("Live", 4000), changed: restarted("Start", 30000),
			want: []string{"Start", "Live"},
		},
	}
	manifests := map[string]string{
		"ElasticJob":      elasticJob(goodJob),
		"Resize":          resize(goodResize),
		"TrainingQueue":   "kind: TrainingQueue\nmetadata: {generateName: test-}\nspec: {}",
		"TrainingProfile": "kind: TrainingProfile\nmetadata: {name: profile}",
	}
	c := connect(t)
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			namespace := cluster.Shared().Namespace(t)
			stored := object(t, manifests[test.kind], namespace)
			if test.kind == "TrainingQueue" {
				stored = createQueue(t, c, manifests[test.kind])
			} else if err := c.Create(t.Context(), stored); err != nil {
				t.Fatal(err)
			}
			apply := func(item, manager string) error {
				patch := object(t, fmt.Sprintf("kind: %s\nmetadata: {name: %s}\nstatus: {%s: [%s]}",
					test.kind, stored.GetName(), test.list, item), namespace)
				return c.Status().Apply(t.Context(), client.ApplyConfigurationFromUnstructured(patch), client.FieldOwner(manager))
			}
			if err := apply(test.first, "operator"); err != nil {
				t.Fatal(err)
			}
			if err := apply(test.second, "scheduler"); err != nil {
				t.Fatal(err)
			}
			if err := c.Get(t.Context(), client.ObjectKeyFromObject(stored), stored); err != nil {
				t.Fatal(err)
			}
			items, _, err := unstructured.NestedSlice(stored.Object, "status", test.list)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, item := range items {
				got = append(got, fmt.Sprint(item.(map[string]any)[test.key]))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if err := apply(test.changed, "scheduler"); !apierrors.IsConflict(err) {
				t.Errorf("a change to what another has applied should be a conflict, but is: %v", err)
			}
		})
	}
}

// The two lists of a selector have no identity: they belong as a whole to who applied them last.
func TestServerSideApplyReplacesSelectorLists(t *testing.T) {
	t.Parallel()
	c := connect(t)
	share := createQueue(t, c, "kind: TrainingQueue\nmetadata: {generateName: test-}\nspec: {}")
	apply := func(values string) error {
		patch := object(t, fmt.Sprintf("kind: TrainingQueue\nmetadata: {name: %s}\nspec: {namespaceSelector: "+
			"{matchExpressions: [{key: team, operator: In, values: [%s]}]}}",
			share.GetName(), values), "")
		return c.Apply(t.Context(), client.ApplyConfigurationFromUnstructured(patch), client.FieldOwner("someone"))
	}
	for _, values := range []string{"a, b", "c"} {
		if err := apply(values); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Get(t.Context(), client.ObjectKeyFromObject(share), share); err != nil {
		t.Fatal(err)
	}
	got, _, _ := unstructured.NestedSlice(share.Object, "spec", "namespaceSelector", "matchExpressions")
	want := []any{map[string]any{"key": "team", "operator": "In", "values": []any{"c"}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// The operator takes back the sizes that a job has said once somebody has set a bound that leaves none of them: that
// bound stays, though nothing else of workers does.
func TestTakingBackTheSizesLeavesTheBoundOfSomebodyElse(t *testing.T) {
	t.Parallel()
	c, namespace := connect(t), cluster.Shared().Namespace(t)
	apply := func(manager, workers string) {
		t.Helper()
		patch := object(t, elasticJob(goodJob+workers), namespace)
		if err := c.Apply(t.Context(), client.ApplyConfigurationFromUnstructured(patch),
			client.FieldOwner(manager)); err != nil {
			t.Fatal(err)
		}
	}
	apply("takt-shorthand", "\nworkers: {sizes: [4, 8]}")
	stored := object(t, elasticJob(goodJob), namespace)
	if err := c.Get(t.Context(), client.ObjectKeyFromObject(stored), stored); err != nil {
		t.Fatal(err)
	}
	if err := unstructured.SetNestedField(stored.Object, int64(6), "spec", "workers", "max"); err != nil {
		t.Fatal(err)
	}
	if err := c.Update(t.Context(), stored, client.FieldOwner("kubectl-edit")); err != nil {
		t.Fatal(err)
	}
	apply("takt-shorthand", "")
	if err := c.Get(t.Context(), client.ObjectKeyFromObject(stored), stored); err != nil {
		t.Fatal(err)
	}
	got, _, _ := unstructured.NestedMap(stored.Object, "spec", "workers")
	if diff := cmp.Diff(map[string]any{"max": int64(6)}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
