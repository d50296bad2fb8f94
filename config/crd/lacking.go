package crd

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"sigs.k8s.io/yaml"
)

//go:embed bases
var bases embed.FS

// schema is what is said of a field.
type schema struct {
	Properties map[string]schema `json:"properties"`
	Items      *schema           `json:"items"`
	Enum       []any             `json:"enum"`
}

// Lacking are the fields and values that this version of Takt knows, and the kinds of a cluster do not: what is written
// there is lost, or refused. Served is what the API server says of the kinds of Takt, as a document of OpenAPI 3.
func Lacking(served []byte) (lacking []string, err error) {
	var document struct {
		Components struct {
			Schemas map[string]json.RawMessage `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal(served, &document); err != nil {
		return nil, fmt.Errorf("reading what the API server says of the kinds of Takt: %w", err)
	}
	has := map[string]schema{}
	for _, raw := range document.Components.Schemas {
		var names struct {
			Kinds []struct {
				Kind string `json:"kind"`
			} `json:"x-kubernetes-group-version-kind"`
		}
		var s schema
		if json.Unmarshal(raw, &names) == nil && len(names.Kinds) == 1 && json.Unmarshal(raw, &s) == nil {
			has[names.Kinds[0].Kind] = s
		}
	}
	files, err := fs.Glob(bases, "bases/*.yaml")
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		kind, known, err := read(file)
		if err != nil {
			return nil, err
		}
		for _, part := range []string{"spec", "status"} {
			lacking = append(lacking, known.Properties[part].beyond(has[kind].Properties[part], kind+"."+part)...)
		}
	}
	return lacking, nil
}

// read gives the name of a kind, and what is known of it.
func read(file string) (kind string, known schema, err error) {
	text, err := bases.ReadFile(file)
	if err != nil {
		return "", schema{}, err
	}
	var definition struct {
		Spec struct {
			Names struct {
				Kind string `json:"kind"`
			} `json:"names"`
			Versions []struct {
				Schema struct {
					OpenAPIV3Schema schema `json:"openAPIV3Schema"`
				} `json:"schema"`
			} `json:"versions"`
		} `json:"spec"`
	}
	if err := yaml.Unmarshal(text, &definition); err != nil {
		return "", schema{}, fmt.Errorf("%s: %w", file, err)
	}
	return definition.Spec.Names.Kind, definition.Spec.Versions[0].Schema.OpenAPIV3Schema, nil
}

// beyond lists what is known and another does not have, by its path. Of a field that it does not have, no part is
// named.
func (known schema) beyond(has schema, path string) (lacking []string) {
	for _, name := range slices.Sorted(maps.Keys(known.Properties)) {
		field, at := known.Properties[name], path+"."+name
		there, ok := has.Properties[name]
		if !ok {
			lacking = append(lacking, at)
			continue
		}
		lacking = append(lacking, field.beyond(there, at)...)
	}
	if known.Items != nil && has.Items != nil {
		lacking = append(lacking, known.Items.beyond(*has.Items, path)...)
	}
	for _, value := range known.Enum {
		if len(has.Enum) > 0 && !slices.Contains(has.Enum, value) {
			lacking = append(lacking, fmt.Sprintf("%s: %v", path, value))
		}
	}
	return lacking
}
