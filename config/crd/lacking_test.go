package crd

import (
	"encoding/json"
	"io/fs"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// document is what an API server says that has the kinds as they are in bases, changed.
func document(t *testing.T, change func(kind string, schema map[string]any)) []byte {
	t.Helper()
	files, err := fs.Glob(bases, "bases/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	schemas := map[string]any{"dev.takt.Other": map[string]any{"type": "object"}}
	for _, file := range files {
		text, err := bases.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var definition map[string]any
		if err := yaml.Unmarshal(text, &definition); err != nil {
			t.Fatal(err)
		}
		spec := definition["spec"].(map[string]any)
		kind := spec["names"].(map[string]any)["kind"].(string)
		schema := spec["versions"].([]any)[0].(map[string]any)["schema"].(map[string]any)["openAPIV3Schema"].(map[string]any)
		schema["x-kubernetes-group-version-kind"] = []any{map[string]any{"kind": kind}}
		change(kind, schema)
		schemas["dev.takt."+kind] = schema
	}
	text, err := json.Marshal(map[string]any{"components": map[string]any{"schemas": schemas}})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// part finds a field of a schema.
func part(schema map[string]any, path ...string) map[string]any {
	for _, name := range path {
		if name == "[]" {
			schema = schema["items"].(map[string]any)
			continue
		}
		schema = schema["properties"].(map[string]any)[name].(map[string]any)
	}
	return schema
}

func TestWhatOlderKindsLackIsNamed(t *testing.T) {
	for name, test := range map[string]struct {
		change func(kind string, schema map[string]any)
		want   []string
	}{
		"as they are": {func(string, map[string]any) {}, nil},
		"a field, with all its parts": {func(kind string, schema map[string]any) {
			if kind == "ElasticJob" {
				delete(part(schema, "spec")["properties"].(map[string]any), "workers")
			}
		}, []string{"ElasticJob.spec.workers"}},
		"a value": {func(kind string, schema map[string]any) {
			if kind == "Resize" {
				reason := part(schema, "spec", "reason")
				reason["enum"] = slices.DeleteFunc(reason["enum"].([]any), func(v any) bool { return v == "NodeLeaves" })
			}
		}, []string{"Resize.spec.reason: NodeLeaves"}},
		"a part of what there are several of": {func(kind string, schema map[string]any) {
			if kind == "ElasticJob" {
				delete(part(schema, "status", "conditions", "[]")["properties"].(map[string]any), "reason")
			}
		}, []string{"ElasticJob.status.conditions.reason"}},
		"a field that they have beside": {func(_ string, schema map[string]any) {
			schema["properties"].(map[string]any)["newer"] = map[string]any{"type": "string"}
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Lacking(document(t, test.change))
			if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
				t.Errorf("error %v, -want +got:\n%s", err, diff)
			}
		})
	}
	if _, err := Lacking([]byte("<html>")); err == nil {
		t.Error("what is no document is taken for one")
	}
}
