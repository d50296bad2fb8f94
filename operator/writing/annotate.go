package writing

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// ErrPutBack says that a write was taken, and that it is not there afterwards: a webhook or a policy puts back what it
// does not know.
var ErrPutBack = errors.New("the API server has taken this, and something there has taken it out again")

// Annotate writes annotations on an object, on that one and no later one of its name; nil takes one off. It fails where
// they are not there afterwards: whoever looks would write them for ever.
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
	after := object.DeepCopyObject().(client.Object)
	if err := c.Patch(ctx, after, client.RawPatch(types.MergePatchType, patch)); err != nil {
		return err
	}
	for key, value := range annotations {
		if text, given := value.(string); given && after.GetAnnotations()[key] != text {
			return fmt.Errorf("%s: annotation %s: %w", object.GetName(), key, ErrPutBack)
		}
	}
	return nil
}
