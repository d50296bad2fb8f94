package lint

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// The rules of the API that matter most here. The usual linter for them, kube-api-linter, is not on
// the module proxy, where everything that builds this project comes from.

// kubectl explain wraps descriptions here, and keeps the line breaks that they have.
const explainWidth = 76

// schema is the part of a structural schema that the rules are about.
type schema struct {
	Description string
	Type        string
	Enum        []any
	MaxLength   *int
	Properties  map[string]schema
	Items       *schema
	ListType    string       `json:"x-kubernetes-list-type"`
	ListMapKeys []string     `json:"x-kubernetes-list-map-keys"`
	Validations []validation `json:"x-kubernetes-validations"`
	Additional  *schema      `json:"additionalProperties"`
}

type validation struct{ Rule, Message string }

// check gives the sins of a schema against the rules of the API.
func check(path string, s schema) []string {
	var sins []string
	sin := func(format string, values ...any) { sins = append(sins, path+": "+fmt.Sprintf(format, values...)) }

	// metav1.Condition and the type and object metadata are Kubernetes' own.
	foreign := strings.Contains(path, ".conditions[]") || path == ".apiVersion" || path == ".kind" || path == ".metadata"
	name := path[strings.LastIndex(path, ".")+1:]
	isField := path != "" && !strings.HasSuffix(path, "[]") && !strings.HasSuffix(path, "{}")
	if !foreign && isField && !strings.HasPrefix(s.Description, name+" ") {
		sin("the description must begin with the name of the field")
	}
	for line := range strings.Lines(s.Description) {
		if !foreign && len(strings.TrimSuffix(line, "\n")) > explainWidth {
			sin("a line of the description is longer than %d characters", explainWidth)
		}
	}
	switch {
	case s.Type == "number":
		sin("a float does not survive being written and read: use an integer or a quantity")
	case s.Type == "array" && s.ListType == "":
		sin("a list must say how it is merged: listType")
	case s.ListType == "map" && len(s.ListMapKeys) == 0:
		sin("a list of type map must have keys")
	}
	for _, v := range s.Validations {
		if v.Message == "" {
			sin("the rule %s must have a message that says what to do", v.Rule)
		}
	}
	if strings.HasPrefix(path, ".spec") && s.Type == "string" && s.MaxLength == nil && s.Enum == nil {
		sin("a string that people write must have a limit")
	}
	for _, child := range slices.Sorted(maps.Keys(s.Properties)) {
		sins = append(sins, check(path+"."+child, s.Properties[child])...)
	}
	if s.Items != nil {
		sins = append(sins, check(path+"[]", *s.Items)...)
	}
	if s.Additional != nil {
		sins = append(sins, check(path+"{}", *s.Additional)...)
	}
	return sins
}

func TestAPIFollowsItsRules(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "config", "crd", "bases", "*.yaml"))
	if err != nil || len(files) != 4 {
		t.Fatalf("there should be four kinds, but are %v (%v)", files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var crd struct {
				Spec struct {
					Versions []struct {
						Schema struct{ OpenAPIV3Schema schema }
					}
				}
			}
			if err := yaml.Unmarshal(text, &crd); err != nil {
				t.Fatal(err)
			}
			for _, version := range crd.Spec.Versions {
				for _, sin := range check("", version.Schema.OpenAPIV3Schema) {
					t.Error(sin)
				}
			}
		})
	}
}

func TestAPIRulesFire(t *testing.T) {
	cases := map[string]struct{ schema, want string }{
		"wrong description": {`{properties: {size: {type: integer, description: The size.}}}`, "must begin with the name"},
		"no description":    {`{properties: {size: {type: integer}}}`, "must begin with the name"},
		"wide description":  {`{description: ` + strings.Repeat("wide ", 20) + `}`, "longer than 76"},
		"float":             {`{properties: {size: {type: number, description: size is it.}}}`, "a float does not survive"},
		"list of no type": {`{properties: {all: {type: array, description: all are they., items: {type: integer}}}}`,
			"how it is merged"},
		"map of no key": {`{properties: {all: {type: array, description: all are they., x-kubernetes-list-type: map}}}`,
			"must have keys"},
		"silent rule":    {`{x-kubernetes-validations: [{rule: "true"}]}`, "must have a message"},
		"endless string": {`{properties: {spec: {type: object, description: spec is it., properties: {a: {type: string, description: a is it.}}}}}`, "must have a limit"},
		"deep in a list": {
			`{properties: {all: {type: array, description: all are they., x-kubernetes-list-type: atomic, items: {properties: {size: {type: number, description: size is it.}}}}}}`,
			".all[].size: a float",
		},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			var s schema
			if err := yaml.Unmarshal([]byte(test.schema), &s); err != nil {
				t.Fatal(err)
			}
			sins := check("", s)
			if len(sins) != 1 || !strings.Contains(sins[0], test.want) {
				t.Errorf("want one sin with %q, got %q", test.want, sins)
			}
		})
	}
}
