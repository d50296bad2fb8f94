package adapter

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
// it as invalid if somebody has. So it also comes through where others write to the object all the time.
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
	text, err := json.Marshal(guard(operations, "", object.Object, change))
	if err != nil {
		return nil, fmt.Errorf("write the patch: %w", err)
	}
	return text, nil
}

// guard adds what is to be done at a path and below. What is replaced or removed is tested first.
func guard(operations []operation, path string, before, change map[string]any) []operation {
	for _, key := range slices.Sorted(maps.Keys(change)) {
		here := path + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
		was, exists := before[key]
		switch to := change[key].(type) {
		case nil:
			if exists {
				operations = append(operations, operation{"test", here, was}, operation{Op: "remove", Path: here})
			}
		case map[string]any:
			if inner, ok := was.(map[string]any); ok {
				operations = guard(operations, here, inner, to)
			} else {
				operations = append(operations, operation{"add", here, without(to)})
			}
		default:
			if exists {
				operations = append(operations, operation{"test", here, was})
			}
			if !exists || !equal(was, to) {
				operations = append(operations, operation{"add", here, to})
			}
		}
	}
	return operations
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
