package main

import (
	"encoding/json"
	"reflect"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/operator/settings"
)

// value is the schema of what may be given for one key.
type value struct {
	Ref                  string   `json:"$ref,omitempty"`
	Type                 string   `json:"type,omitempty"`
	Enum                 []any    `json:"enum,omitempty"`
	Pattern              string   `json:"pattern,omitempty"`
	MinLength            int      `json:"minLength,omitempty"`
	Minimum              *float64 `json:"minimum,omitempty"`
	ExclusiveMinimum     *float64 `json:"exclusiveMinimum,omitempty"`
	Maximum              *float64 `json:"maximum,omitempty"`
	MinItems             int      `json:"minItems,omitempty"`
	UniqueItems          bool     `json:"uniqueItems,omitempty"`
	Items                *value   `json:"items,omitempty"`
	AdditionalProperties *value   `json:"additionalProperties,omitempty"`
	Description          string   `json:"description,omitempty"`
}

// narrowed are values of which more is known than their type.
var narrowed = map[string]func(*value){
	"namespaces":        func(v *value) { v.UniqueItems, v.Items = true, &value{Ref: "#/definitions/name"} },
	"gpus.resources":    func(v *value) { v.UniqueItems, v.MinItems, v.Items.MinLength = true, 1, 1 },
	"gpus.productLabel": func(v *value) { v.MinLength = 1 },
	"records.namespace": only(settings.Default().Records.Namespace,
		"The chart gives the right to keep them in its own namespace alone."),
	"records.folder": only(settings.Default().Records.Folder, "The chart mounts records.claim there."),
	"leaderElection.namespace": only(settings.Default().LeaderElection.Namespace,
		"The chart gives the right to the lease in its own namespace alone."),
	"leaderElection.enabled": only(true,
		"Without it two operators would work at once during each upgrade, and takt finds the operator by its lease."),
	"leaderElection.name": only(settings.Default().LeaderElection.Name,
		"The Role that the chart makes is for this lease alone."),
	"metrics.bindAddress": func(v *value) {
		v.Pattern = `^(.*:8443|0)$`
		v.Description = "The Service, the policy of the network and the ServiceMonitor are for port 8443."
	},
	"metrics.certDir": only("", "metrics.certSecret of the chart sets it."),
	"health.bindAddress": func(v *value) {
		v.Pattern = `^(0\.0\.0\.0|\[::\])?:8081$`
		v.Description = "The probes ask port 8081 of the pod."
	},
	"log.format": func(v *value) { v.Enum = []any{settings.JSON, settings.Console} },
}

// only has a setting be what the rest of the chart is made for.
func only(allowed any, why string) func(*value) {
	return func(v *value) { v.Enum, v.Description = []any{allowed}, why }
}

// settingsObject is what is within the object that has all settings.
func settingsObject(indent string) string {
	return indent + `"type": "object",` + "\n" + indent + `"additionalProperties": false,` + "\n" + indent +
		`"description": "Settings of the operator: takt-operator config prints all, with what each is for.",` + "\n" +
		properties(indent, "", reflect.TypeFor[settings.Settings]())
}

// properties are the keys of a section, each on a line of its own unless it is a section itself.
func properties(indent, path string, section reflect.Type) string {
	var lines []string
	for field := range section.Fields() {
		key, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		lines = append(lines, indent+`  "`+key+`": `+property(indent+"  ", path+key, field.Type))
	}
	return indent + "\"properties\": {\n" + strings.Join(lines, ",\n") + "\n" + indent + "}"
}

func property(indent, path string, t reflect.Type) string {
	if t.Kind() == reflect.Struct && t != reflect.TypeFor[metav1.Duration]() {
		inner := indent + "  "
		return "{\n" + inner + `"type": "object",` + "\n" + inner + `"additionalProperties": false,` + "\n" +
			properties(inner, path+".", t) + "\n" + indent + "}"
	}
	v := ofType(t)
	if bounds, has := settings.Numbers[path]; has {
		bound(v, bounds)
	}
	if narrow := narrowed[path]; narrow != nil {
		narrow(v)
	}
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // nothing in it cannot be written
	}
	return strings.NewReplacer(`":`, `": `, `,"`, `, "`).Replace(string(text))
}

// bound has a number, or all numbers of a list, within bounds.
func bound(v *value, within settings.Bounds) {
	if v.AdditionalProperties != nil {
		v = v.AdditionalProperties
	}
	v.Minimum, v.Maximum = &within.Least, &within.Most
	if within.Above {
		v.Minimum, v.ExclusiveMinimum = nil, &within.Least
	}
}

// ofType is what a type of Go can read.
func ofType(t reflect.Type) *value {
	if t == reflect.TypeFor[metav1.Duration]() {
		return &value{Ref: "#/definitions/duration"}
	}
	switch t.Kind() {
	case reflect.Bool:
		return &value{Type: "boolean"}
	case reflect.String:
		return &value{Type: "string"}
	case reflect.Float32, reflect.Float64:
		return &value{Type: "number"}
	case reflect.Slice:
		return &value{Type: "array", Items: ofType(t.Elem())}
	case reflect.Map:
		return &value{Type: "object", AdditionalProperties: ofType(t.Elem())}
	default:
		return &value{Type: "integer"}
	}
}
