package kind

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// operation is one of a JSON patch.
type operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value"`
}

// Guarded turns a patch by Kind.Patch of an object into a JSON patch, which does the same to what has
// become of the object meanwhile, as long as nobody has changed what is patched. The API server refuses
// it as invalid if somebody has. So it also comes through where others write to the object all the time,
// unless it adds what was not there: that nobody else has added it shows by the resourceVersion alone.
func Guarded(object *unstructured.Unstructured, patch []byte) ([]byte, error) {
	var change map[string]any
	if err := json.Unmarshal(patch, &change); err != nil {
		return nil, fmt.Errorf("read the patch: %w", err)
	}
	operations := []operation{{"test", "/metadata/uid", string(object.GetUID())}}
	if metadata, ok := change["metadata"].(map[string]any); ok {
		delete(metadata, "uid")
		delete(metadata, "resourceVersion")
	}
	operations, adds := guard(operations, "", object.Object, change)
	if adds {
		operations = slices.Insert(operations, 1, operation{"test", "/metadata/resourceVersion", object.GetResourceVersion()})
	}
	text, err := json.Marshal(operations)
	if err != nil {
		return nil, fmt.Errorf("write the patch: %w", err)
	}
	return text, nil
}

// guard appends what is to be done at a path and below, and says whether any of it adds what was not
// there. What is replaced or removed is tested first.
func guard(operations []operation, path string, before, change map[string]any) (_ []operation, adds bool) {
	for _, key := range slices.Sorted(maps.Keys(change)) {
		here := path + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
		was, exists := before[key]
		inner, within := was.(map[string]any)
		switch to := change[key].(type) {
		case nil:
			if exists {
				operations = append(operations, operation{"test", here, was}, operation{Op: "remove", Path: here})
			}
		case map[string]any:
			if !within {
				operations, adds = append(operations, operation{"add", here, without(to)}), true
				continue
			}
			var more bool
			operations, more = guard(operations, here, inner, to)
			adds = adds || more
		default:
			if exists {
				operations = append(operations, operation{"test", here, was})
			}
			if !exists || !equal(was, to) {
				operations, adds = append(operations, operation{"add", here, to}), adds || !exists
			}
		}
	}
	return operations, adds
}

// without is a change as an object of its own: what it removes is not there anyway.
func without(change map[string]any) map[string]any {
	object := map[string]any{}
	for key, value := range change {
		switch value := value.(type) {
		case nil:
		case map[string]any:
			object[key] = without(value)
		default:
			object[key] = value
		}
	}
	return object
}

// equal compares values of which the numbers may be of different types.
func equal(a, b any) bool {
	textA, errA := json.Marshal(a)
	textB, errB := json.Marshal(b)
	return errA == nil && errB == nil && bytes.Equal(textA, textB)
}
