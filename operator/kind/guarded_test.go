package kind

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

func TestAGuardedPatchTestsWhatItChanges(t *testing.T) {
	job := &unstructured.Unstructured{Object: map[string]any{
		"metadata": map[string]any{
			"uid": "u1", "resourceVersion": "7",
			"annotations": map[string]any{"takt.dev/asked": "old", "takt.dev/returns-to": "2", "takt.dev/progress": "1/2"},
		},
		"spec": map[string]any{"replicas": int64(2), "runPolicy": map[string]any{"suspend": false}},
	}}
	patch := `{"metadata":{"uid":"u1","resourceVersion":"7","annotations":{"takt.dev/asked":"new","takt.dev/returns-to":null,"takt.dev/none":null}},
		"spec":{"replicas":4,"runPolicy":{"suspend":false},"template":{"labels":{"epoch":"3","gone":null}}}}`
	want := []operation{
		{"test", "/metadata/uid", "u1"},
		{"test", "/metadata/resourceVersion", "7"}, // for the template, which is not there
		{"test", "/metadata/annotations/takt.dev~1asked", "old"},
		{"add", "/metadata/annotations/takt.dev~1asked", "new"},
		{"test", "/metadata/annotations/takt.dev~1returns-to", "2"},
		{"remove", "/metadata/annotations/takt.dev~1returns-to", nil},
		{"test", "/spec/replicas", 2.0},
		{"add", "/spec/replicas", 4.0},
		{"test", "/spec/runPolicy/suspend", false},
		{"add", "/spec/template", map[string]any{"labels": map[string]any{"epoch": "3"}}},
	}
	text, err := Guarded(job, []byte(patch))
	if err != nil {
		t.Fatal(err)
	}
	var got []operation
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// What is there already is tested for itself: a job that reports its progress all the time has another
// resourceVersion each time.
func TestAGuardedPatchOfWhatIsThereGoesByNothingElse(t *testing.T) {
	job := &unstructured.Unstructured{Object: map[string]any{
		"metadata": map[string]any{"uid": "u1", "resourceVersion": "7"},
		"spec":     map[string]any{"replicas": int64(2)},
	}}
	text, err := Guarded(job, []byte(`{"metadata":{"uid":"u1","resourceVersion":"7"},"spec":{"replicas":4}}`))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "resourceVersion") {
		t.Errorf("it asks for a version: %s", text)
	}
}
