package stories

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/cached"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/zoo"
)

// In a zoo, a merge patch leaves of an object what it leaves of its JSON, and nothing of the object before it changes.
func TestAPatchLeavesOfAnObjectWhatItLeavesOfItsJSON(t *testing.T) {
	scheme, err := cached.NewScheme()
	if err != nil {
		t.Fatal(err)
	}
	const pod = `{"metadata":{"name":"p","labels":{"a":"1","b":"2"},"creationTimestamp":"2026-11-21T12:00:00Z"},` +
		`"spec":{"containers":[{"name":"c","resources":{"limits":{"gpu":"1"}}},{"name":"d","resources":{}}]},"status":{"phase":"Running"}}`
	const job = `{"metadata":{"name":"j","creationTimestamp":null},"spec":{"runPolicy":{"suspend":true},"pytorchReplicaSpecs":{"Worker":{"replicas":2,` +
		`"template":{"metadata":{"creationTimestamp":null},"spec":{"containers":[{"name":"c","resources":{}}]}}}}},"status":{"conditions":null,"replicaStatuses":null}}`
	const elastic = `{"metadata":{"name":"e","creationTimestamp":null},"spec":{"deadline":"6h","workers":{"min":1,"max":4}},"status":{"message":"so"}}`
	for name, test := range map[string]struct {
		kind       client.Object
		is, change string
	}{
		"nothing":              {&corev1.Pod{}, pod, `{}`},
		"a label":              {&corev1.Pod{}, pod, `{"metadata":{"labels":{"b":null,"c":"3"}}}`},
		"the first annotation": {&corev1.Pod{}, pod, `{"metadata":{"annotations":{"c":"3"}}}`},
		"all labels":           {&corev1.Pod{}, pod, `{"metadata":{"labels":null}}`},
		"a moment":             {&corev1.Pod{}, pod, `{"metadata":{"creationTimestamp":"2026-11-21T13:00:00Z"}}`},
		"a list as a whole":    {&corev1.Pod{}, pod, `{"spec":{"containers":[{"name":"d"}]}}`},
		"the status": {&corev1.Pod{}, pod,
			`{"status":{"phase":null,"reason":"Why","startTime":"2026-11-21T13:00:00Z"}}`},
		"behind a pointer":      {&kubeflow.PyTorchJob{}, job, `{"spec":{"pytorchReplicaSpecs":{"Worker":{"replicas":3}}}}`},
		"another key":           {&kubeflow.PyTorchJob{}, job, `{"spec":{"pytorchReplicaSpecs":{"Master":{"replicas":1}}}}`},
		"a pointer that is nil": {&kubeflow.PyTorchJob{}, job, `{"spec":{"elasticPolicy":{"minReplicas":1}}}`},
		"a pointer to nil":      {&kubeflow.PyTorchJob{}, job, `{"spec":{"runPolicy":{"suspend":null}}}`},
		"a kind of our own":     {&v1alpha1.ElasticJob{}, elastic, `{"spec":{"deadline":"7h","workers":{"max":null}}}`},
		"its status":            {&v1alpha1.ElasticJob{}, elastic, `{"status":{"message":null,"workers":{"desired":3}}}`},
	} {
		t.Run(name, func(t *testing.T) {
			s := zoo.New(fixture.Start, scheme).Server
			before := fromJSON(t, test.kind, test.is)
			if err := s.Create(t.Context(), before); err != nil {
				t.Fatal(err)
			}
			was := asJSON(t, before)
			want, err := jsonpatch.MergePatch([]byte(was), []byte(test.change))
			if err != nil {
				t.Fatal(err)
			}
			after, patch := before.DeepCopyObject().(client.Object), client.RawPatch(types.MergePatchType, []byte(test.change))
			if strings.Contains(test.change, `"status"`) {
				err = s.Status().Patch(t.Context(), after, patch)
			} else {
				err = s.Patch(t.Context(), after, patch)
			}
			if err != nil {
				t.Fatal(err)
			}
			after.SetResourceVersion(before.GetResourceVersion())
			after.SetGeneration(before.GetGeneration())
			if diff := cmp.Diff(asJSON(t, fromJSON(t, test.kind, string(want))), asJSON(t, after)); diff != "" {
				t.Errorf("-as JSON +as an object:\n%s", diff)
			}
			if diff := cmp.Diff(was, asJSON(t, before)); diff != "" {
				t.Errorf("the object before it has changed:\n%s", diff)
			}
		})
	}
	s, one := zoo.New(fixture.Start, scheme).Server, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p"}}
	if err := s.Create(t.Context(), one); err != nil {
		t.Fatal(err)
	}
	if err := s.Patch(t.Context(), one, client.RawPatch(types.MergePatchType,
		[]byte(`{"spec":{"nodeNames":"n"}}`))); err == nil {
		t.Errorf("a field that there is not is merged: %s", asJSON(t, one))
	}
}

func fromJSON(t *testing.T, kind client.Object, text string) client.Object {
	t.Helper()
	o := reflect.New(reflect.TypeOf(kind).Elem()).Interface().(client.Object)
	if err := json.Unmarshal([]byte(text), o); err != nil {
		t.Fatal(err)
	}
	return o
}

func asJSON(t *testing.T, o client.Object) string {
	t.Helper()
	text, err := json.MarshalIndent(o, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
