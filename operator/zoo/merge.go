package zoo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// merged is an object as a merge patch leaves it. It shares with the one before what the patch does not name: objects
// are large, and what is written of them is little.
func merged(before client.Object, patch []byte) (client.Object, error) {
	after := reflect.New(reflect.TypeOf(before).Elem())
	after.Elem().Set(reflect.ValueOf(before).Elem())
	if err := merge(after.Elem(), patch); err != nil {
		return nil, fmt.Errorf("merging %s into %T: %w", patch, before, err)
	}
	return after.Interface().(client.Object), nil
}

// merge merges a patch into a value, as RFC 7386 has it, and changes nothing that the value points to.
func merge(into reflect.Value, patch json.RawMessage) error {
	if bytes.Equal(patch, []byte("null")) {
		into.SetZero()
		return nil
	}
	_, itself := reflect.TypeAssert[json.Unmarshaler](into.Addr())
	switch object := bytes.HasPrefix(patch, []byte("{")); {
	case object && itself:
		was, err := json.Marshal(into.Interface())
		if err != nil {
			return err
		}
		if patch, err = jsonpatch.MergePatch(was, patch); err != nil {
			return err
		}
	case object && into.Kind() == reflect.Pointer:
		of := reflect.New(into.Type().Elem())
		if !into.IsNil() {
			of.Elem().Set(into.Elem())
		}
		into.Set(of)
		return merge(of.Elem(), patch)
	case object && into.Kind() == reflect.Struct:
		return mergeFields(into, patch)
	case object && into.Kind() == reflect.Map:
		return mergeKeys(into, patch)
	}
	into.SetZero()
	return json.Unmarshal(patch, into.Addr().Interface())
}

func mergeFields(into reflect.Value, patch json.RawMessage) error {
	var parts map[string]json.RawMessage
	if err := json.Unmarshal(patch, &parts); err != nil {
		return err
	}
	for name, part := range parts {
		field, ok := fieldNamed(into, name)
		if !ok {
			return fmt.Errorf("%w: the field %s", errUnserved, name)
		}
		if err := merge(field, part); err != nil {
			return err
		}
	}
	return nil
}

// fieldNamed is a field of a struct, by the name that it has in JSON.
func fieldNamed(of reflect.Value, name string) (reflect.Value, bool) {
	for i := range of.NumField() {
		field := of.Type().Field(i)
		tag, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if tag == name {
			return of.Field(i), true
		}
		if field.Anonymous && tag == "" {
			if found, ok := fieldNamed(of.Field(i), name); ok {
				return found, true
			}
		}
	}
	return reflect.Value{}, false
}

func mergeKeys(into reflect.Value, patch json.RawMessage) error {
	var parts map[string]json.RawMessage
	if err := json.Unmarshal(patch, &parts); err != nil {
		return err
	}
	after := reflect.MakeMap(into.Type())
	for _, key := range into.MapKeys() {
		after.SetMapIndex(key, into.MapIndex(key))
	}
	for name, part := range parts {
		key, value := reflect.ValueOf(name).Convert(into.Type().Key()), reflect.New(into.Type().Elem()).Elem()
		if bytes.Equal(part, []byte("null")) {
			after.SetMapIndex(key, reflect.Value{})
			continue
		}
		if was := after.MapIndex(key); was.IsValid() {
			value.Set(was)
		}
		if err := merge(value, part); err != nil {
			return err
		}
		after.SetMapIndex(key, value)
	}
	into.Set(after)
	return nil
}
