package writing

import (
	"context"
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Annotate writes annotations on an object, on that one and no later one of its name; nil takes one off.
func Annotate(ctx context.Context, c client.Client, object client.Object, annotations map[string]any) error {
	if len(annotations) == 0 {
		return nil
	}
	patch, err := json.Marshal(map[string]any{
		"metadata": map[string]any{"uid": object.GetUID(), "annotations": annotations},
	})
	if err != nil {
		return fmt.Errorf("writing annotations: %w", err)
	}
	return c.Patch(ctx, object.DeepCopyObject().(client.Object), client.RawPatch(types.MergePatchType, patch))
}
