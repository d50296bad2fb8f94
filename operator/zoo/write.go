package zoo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// errUnserved is the answer to what nobody in a zoo asks for.
var errUnserved = errors.New("a zoo does not serve this")

// Patch changes an object, but for its status.
func (s *Server) Patch(_ context.Context, o client.Object, patch client.Patch, _ ...client.PatchOption) error {
	return s.patch(o, patch, false)
}

func (s *Server) patch(o client.Object, patch client.Patch, status bool) error {
	data, err := patch.Data(o)
	if err != nil {
		return err
	}
	return s.change(o, status, func(before client.Object) (client.Object, error) {
		switch patch.Type() {
		case types.MergePatchType:
			return merged(before, data)
		case types.JSONPatchType:
			return stepped(before, data)
		default:
			return nil, fmt.Errorf("%w: a patch of type %s", errUnserved, patch.Type())
		}
	})
}

// stepped is an object as the steps of a JSON patch leave it.
func stepped(before client.Object, patch []byte) (client.Object, error) {
	steps, err := jsonpatch.DecodePatch(patch)
	if err != nil {
		return nil, err
	}
	was, err := json.Marshal(before)
	if err != nil {
		return nil, err
	}
	is, err := steps.Apply(was)
	if err != nil {
		return nil, apierrors.NewInvalid(before.GetObjectKind().GroupVersionKind().GroupKind(), before.GetName(), nil)
	}
	return read(before, is)
}

// read reads an object of the same kind.
func read(like client.Object, text []byte) (client.Object, error) {
	after := reflect.New(reflect.TypeOf(like).Elem()).Interface().(client.Object)
	return after, json.Unmarshal(text, after)
}

// change stores what becomes of an object, or of its status alone. Whoever names a version that is not the stored one
// is refused.
func (s *Server) change(o client.Object, status bool, change func(before client.Object) (client.Object, error)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, err := s.shelf(o)
	if err != nil {
		return err
	}
	before, ok := at.byName[client.ObjectKeyFromObject(o)]
	if !ok {
		return s.notFound(o, o.GetName())
	}
	after, err := change(before)
	if err != nil {
		return err
	}
	if after.GetResourceVersion() != before.GetResourceVersion() || after.GetUID() != before.GetUID() {
		return conflict(before)
	}
	apart(before, after, status)
	s.put(at, before, after)
	fill(o, after)
	return nil
}

// apart keeps of an object what a write does not reach: the status, or all but the status. A new spec is a new
// generation.
func apart(before, after client.Object, status bool) {
	was, is := reflect.ValueOf(before).Elem(), reflect.ValueOf(after).Elem()
	if status {
		kept := reflect.New(was.Type()).Elem()
		kept.Set(was)
		kept.FieldByName("Status").Set(is.FieldByName("Status"))
		is.Set(kept)
		return
	}
	if field := is.FieldByName("Status"); field.IsValid() {
		field.Set(was.FieldByName("Status"))
	}
	if spec := is.FieldByName("Spec"); spec.IsValid() && !reflect.DeepEqual(spec.Interface(),
		was.FieldByName("Spec").Interface()) {
		after.SetGeneration(before.GetGeneration() + 1)
	}
}

// Update stores an object as it is, but for its status.
func (s *Server) Update(_ context.Context, o client.Object, _ ...client.UpdateOption) error {
	return s.update(o, false)
}

func (s *Server) update(o client.Object, status bool) error {
	return s.change(o, status, func(before client.Object) (client.Object, error) {
		text, err := json.Marshal(o)
		if err != nil {
			return nil, err
		}
		return read(before, text)
	})
}

// Apply is not served.
func (*Server) Apply(context.Context, runtime.ApplyConfiguration, ...client.ApplyOption) error {
	return errUnserved
}

// DeleteAllOf is not served.
func (*Server) DeleteAllOf(context.Context, client.Object, ...client.DeleteAllOfOption) error {
	return errUnserved
}

// Status writes the status of objects.
func (s *Server) Status() client.SubResourceWriter { return statuses{s} }

// SubResource is that of the status alone.
func (s *Server) SubResource(string) client.SubResourceClient { return statuses{s} }

type statuses struct{ s *Server }

func (w statuses) Patch(_ context.Context, o client.Object, patch client.Patch,
	_ ...client.SubResourcePatchOption) error {
	return w.s.patch(o, patch, true)
}

func (w statuses) Update(_ context.Context, o client.Object, _ ...client.SubResourceUpdateOption) error {
	return w.s.update(o, true)
}

func (statuses) Get(context.Context, client.Object, client.Object, ...client.SubResourceGetOption) error {
	return errUnserved
}

func (statuses) Create(context.Context, client.Object, client.Object, ...client.SubResourceCreateOption) error {
	return errUnserved
}

func (statuses) Apply(context.Context, runtime.ApplyConfiguration, ...client.SubResourceApplyOption) error {
	return errUnserved
}
