package stories

import (
	"context"
	"errors"
	"reflect"

	"k8s.io/apimachinery/pkg/types"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/operator/cached"
	"github.com/takt-dev/takt/operator/settings"
)

// remembering reads what the cache of an operator keeps of objects, and not all that the API server has.
type remembering struct {
	*mortal
	trims map[reflect.Type]toolscache.TransformFunc
	rest  toolscache.TransformFunc
	kept  map[version]client.Object
}

// version is one of an object.
type version struct {
	kind    reflect.Type
	uid     types.UID
	version string
}

func remember(of *mortal) *remembering {
	options := cached.Options(settings.Default())
	r := &remembering{mortal: of, trims: map[reflect.Type]toolscache.TransformFunc{}, rest: options.DefaultTransform,
		kept: map[version]client.Object{}}
	for object, by := range options.ByObject {
		r.trims[reflect.TypeOf(object)] = by.Transform
	}
	return r
}

func (r *remembering) Get(ctx context.Context, key client.ObjectKey, into client.Object,
	options ...client.GetOption) error {
	if err := r.mortal.Get(ctx, key, into, options...); err != nil {
		return err
	}
	return r.trim(into)
}

func (r *remembering) List(ctx context.Context, into client.ObjectList, options ...client.ListOption) error {
	if err := r.Server.List(ctx, into, options...); err != nil {
		return err
	}
	items := reflect.ValueOf(into).Elem().FieldByName("Items")
	var errs []error
	for i := range items.Len() {
		if object, is := reflect.TypeAssert[client.Object](items.Index(i).Addr()); is {
			errs = append(errs, r.trim(object))
		}
	}
	return errors.Join(errs...)
}

// trim makes an object what the cache keeps of it. Each version is trimmed once.
func (r *remembering) trim(object client.Object) error {
	kind := reflect.TypeOf(object)
	by, named := r.trims[kind]
	if !named {
		by = r.rest
	}
	of := version{kind, object.GetUID(), object.GetResourceVersion()}
	kept, known := r.kept[of]
	if !known {
		trimmed, err := by(object.DeepCopyObject())
		if err != nil {
			return err
		}
		kept = trimmed.(client.Object)
		r.kept[of] = kept
	}
	reflect.ValueOf(object).Elem().Set(reflect.ValueOf(kept).Elem())
	return nil
}
